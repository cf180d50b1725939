"""A recipe that trains a LoRA adapter so that several of them share the lower layers of one base model.

Reading order: settings, data, splits, windows, encode, model, trunk, training, score, calibrate, evaluate, neighbours,
export, report; pipeline is the whole of it.
"""
