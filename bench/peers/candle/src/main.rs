//! Forward passes of candle-transformers, for bench/compare.py; what is asked and answered: bench/peers/protocol.py.
//!
//!     candle_peer MODEL THREADS float32

mod model;

use candle_core::{Device, IndexOp, Tensor};
use model::Model;
use serde_json::{json, Value};
use std::error::Error;
use std::io::BufRead;
use std::path::Path;
use std::time::Instant;

/// What one question prepared and the next ones run.
struct Work {
    ids: Tensor,
    last: bool,
}

impl Work {
    fn read(question: &Value) -> Result<Self, Box<dyn Error>> {
        let ids: Vec<Vec<u32>> = serde_json::from_value(question["ids"].clone())?;
        Ok(Self { ids: Tensor::new(ids, &Device::Cpu)?, last: question["pooling"] == "last" })
    }

    fn run(&self, model: &Model) -> candle_core::Result<Tensor> {
        let hidden = model.hidden_states(&self.ids)?;
        match self.last {
            true => hidden.i((.., hidden.dim(1)? - 1)),
            false => hidden.mean(1),
        }
    }
}

fn answer(question: &Value, model: &Model, work: &mut Option<Work>) -> Result<Value, Box<dyn Error>> {
    let prepare = question.get("prepare");
    if let Some(inputs) = prepare {
        *work = Some(Work::read(inputs)?);
    }
    let work = work.as_ref().ok_or("nothing was prepared")?;
    let start = Instant::now();
    let vectors = work.run(model)?;
    let ms = start.elapsed().as_secs_f64() * 1e3;
    Ok(match prepare {
        Some(_) => json!({"ms": ms, "vectors": vectors.to_vec2::<f32>()?}),
        None => json!({"ms": ms}),
    })
}

fn serve(folder: &str) -> Result<(), Box<dyn Error>> {
    let model = Model::load(Path::new(folder))?;
    println!("{}", json!({"ready": true}));
    let mut work = None;
    for line in std::io::stdin().lock().lines() {
        let question: Value = serde_json::from_str(&line?)?;
        match answer(&question, &model, &mut work) {
            Ok(answer) => println!("{answer}"),
            Err(error) => println!("{}", json!({"skip": error.to_string()})),
        }
    }
    Ok(())
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder, threads, dtype] = arguments.as_slice() else {
        eprintln!("usage: candle_peer MODEL THREADS float32");
        std::process::exit(2);
    };
    // Before the first use of a thread pool, which reads it once: candle's and gemm's are of rayon.
    std::env::set_var("RAYON_NUM_THREADS", threads);
    std::env::set_var("CANDLE_NUM_THREADS", threads);
    let result = match dtype.as_str() {
        "float32" => serve(folder),
        other => Err(format!("dtype {other:?} is not measured with candle, only float32").into()),
    };
    if let Err(error) = result {
        println!("{}", json!({"skip": error.to_string().lines().next()}));
    }
}
