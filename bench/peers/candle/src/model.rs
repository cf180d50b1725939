//! The architectures that the bench measures, as candle-transformers has them.

use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::{bert, modernbert, qwen3};
use serde_json::{json, Value};
use std::error::Error;
use std::path::Path;

pub enum Model {
    Bert(bert::BertModel),
    ModernBert(modernbert::ModernBert),
    Qwen3(qwen3::Model),
}

impl Model {
    /// Reads config.json and model.safetensors of a folder; weights of any type become float32.
    pub fn load(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let mut config: Value = serde_json::from_slice(&std::fs::read(folder.join("config.json"))?)?;
        let kind = config["model_type"].as_str().unwrap_or("").to_string();
        if kind.starts_with("gemma3") {
            return Err(
                "candle-transformers has Gemma 3 as a causal decoder only, and gives logits of the last token instead \
                        of hidden states"
                    .into(),
            );
        }
        complete(&mut config);
        let tensors = candle_core::safetensors::load(folder.join("model.safetensors"), &Device::Cpu)?;
        let bare = !tensors.keys().any(|name| name.starts_with("model."));
        let weights = VarBuilder::from_tensors(tensors, DType::F32, &Device::Cpu);
        Ok(match kind.as_str() {
            "bert" => Self::Bert(bert::BertModel::load(weights, &serde_json::from_value(config)?)?),
            "modernbert" => Self::ModernBert(modernbert::ModernBert::load(weights, &serde_json::from_value(config)?)?),
            "qwen3" => {
                // Checkpoints of embedding models lack the prefix that candle asks for.
                let weights = if bare { weights.rename_f(without_prefix) } else { weights };
                Self::Qwen3(qwen3::Model::new(&serde_json::from_value(config)?, weights)?)
            }
            other => return Err(format!("model_type {other:?} is none of bert, modernbert, qwen3").into()),
        })
    }

    /// Hidden states [texts, tokens, hidden size] of ids [texts, tokens] without padding.
    pub fn hidden_states(&self, ids: &Tensor) -> candle_core::Result<Tensor> {
        match self {
            Self::Bert(model) => model.forward(ids, &ids.zeros_like()?, None),
            Self::ModernBert(model) => model.forward(ids, &ids.ones_like()?),
            // A clone shares the weights and has an empty cache of keys and values: the model's own cannot be emptied.
            Self::Qwen3(model) => model.clone().forward(ids, 0),
        }
    }
}

/// Adds what candle requires in a config and checkpoints leave out, or write under another name.
fn complete(config: &mut Value) {
    let norm_eps = config["norm_eps"].clone();
    let wanted = [
        ("layer_norm_eps", norm_eps),
        ("hidden_dropout_prob", json!(0.0)),
        ("initializer_range", json!(0.02)),
        ("max_window_layers", json!(0)),
    ];
    for (key, value) in wanted {
        if config.get(key).is_none() && !value.is_null() {
            config[key] = value;
        }
    }
}

fn without_prefix(name: &str) -> String {
    name.strip_prefix("model.").unwrap_or(name).to_string()
}
