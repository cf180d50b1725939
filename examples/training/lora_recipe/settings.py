"""What a recipe file may say. Every key is a field of Settings; an unknown one is an error."""

import dataclasses
import pathlib

import tomllib

TASKS = ("sequence", "pair", "token")


class RecipeError(Exception):
    """Something the user can put right: the message names the file and the key, line or argument."""


@dataclasses.dataclass
class Settings:
    task: str = "sequence"  # sequence: a label per text; pair: per text and text_pair; token: spans of the text
    name: str = "adapter"
    seed: int = 7

    # The adapter. Adapters over the same base share one pass through the layers below the lowest adapted one.
    last_layers: int = 3  # adapts this many layers, the last ones
    rank: int = 32
    alpha: float = 8.0
    rslora: bool = True  # scale is alpha / sqrt(rank), else alpha / rank
    target_modules: list[str] = dataclasses.field(default_factory=lambda: ["query", "key", "value", "dense"])
    train_pooler: bool = False  # saves a copy of the pooler with the adapter (BERT sequence heads)
    float16: bool = True  # stores the adapter's tensors in half the bytes

    # Training.
    epochs: float = 4.0
    batch_size: int = 32
    learning_rate: float = 5e-4
    weight_decay: float = 0.01
    warmup: float = 0.06  # fraction of all steps
    label_smoothing: float = 0.1
    neighbour_smoothing: float = (
        0.0  # this share of a text's target is the vote of its nearest neighbours (sequence, pair)
    )
    average_last: float = 0.4  # the result is the mean of the weights over this last fraction of the steps
    max_windows: int = 0  # train on this many windows of a long text (of a safety task: of a long attack); 0: on all
    joined: int = 0  # of a safety task: each short attack is also trained on in this many ordinary texts
    max_tokens: int = 0  # length of training windows, special tokens included; 0: the model's limit
    bfloat16: bool = True  # matrix products of training in bfloat16; evaluation is always float32
    class_weights: dict[str, float] = dataclasses.field(default_factory=dict)

    # Evaluation. Groups of near-duplicates stay on one side of the split.
    held_out: float = 0.12
    calibration: float = 0.08
    unsafe_label: str = ""  # a safety task: windows merge by this label's maximum, else by the mean
    max_false_alarms: float = 0.002  # of a safety task, on the calibration texts
    refit: bool = False  # what is saved is trained once more with the held-out texts among the others, after measuring
    target_precision: float = 0.9  # what each label's threshold reaches on the calibration texts, where it can

    # The card.
    title: str = ""
    data: str = ""
    licence: str = ""
    notes: str = ""


def read_settings(path: pathlib.Path | None, overrides: dict) -> Settings:
    values = {}
    if path is not None:
        try:
            values = tomllib.loads(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise RecipeError(f"{path}: {error}") from error
    values.update({key: value for key, value in overrides.items() if value is not None})
    known = {field.name: field for field in dataclasses.fields(Settings)}
    defaults = Settings()
    for key, value in values.items():
        if key not in known:
            raise RecipeError(f'{path or "arguments"}: unknown key "{key}" (expected one of: {", ".join(known)})')
        wanted = type(getattr(defaults, key))
        if wanted is float and type(value) is int:
            values[key] = value = float(value)
        if type(value) is not wanted:
            raise RecipeError(f'{path or "arguments"}: "{key}" is {value!r}, expected a {wanted.__name__}')
    settings = Settings(**values)
    check(settings, path or "arguments")
    return settings


def check(settings: Settings, where) -> None:
    if settings.task not in TASKS:
        raise RecipeError(f'{where}: "task" is {settings.task!r}, expected one of: {", ".join(TASKS)}')
    if settings.joined and not settings.unsafe_label:
        raise RecipeError(f'{where}: "joined" is {settings.joined}, but no "unsafe_label" says what an attack is')
    for key in ("max_windows", "joined"):
        if getattr(settings, key) < 0:
            raise RecipeError(f'{where}: "{key}" is {getattr(settings, key)}, expected at least 0')
    for key in ("last_layers", "rank", "batch_size"):
        if getattr(settings, key) < 1:
            raise RecipeError(f'{where}: "{key}" is {getattr(settings, key)}, expected at least 1')
    for key in ("epochs", "learning_rate", "alpha"):
        if not getattr(settings, key) > 0:
            raise RecipeError(f'{where}: "{key}" is {getattr(settings, key)}, expected above 0')
    for key in ("label_smoothing", "neighbour_smoothing"):
        if not 0 <= getattr(settings, key) < 1:
            raise RecipeError(f'{where}: "{key}" is {getattr(settings, key)}, expected at least 0 and below 1')
    if not (0 < settings.held_out and 0 < settings.calibration and settings.held_out + settings.calibration < 0.9):
        raise RecipeError(
            f'{where}: "held_out" is {settings.held_out} and "calibration" {settings.calibration}, '
            "expected two fractions above 0 that leave something to train on"
        )
