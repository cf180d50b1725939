"""The rules of vsr_intents_route() (include/vsr/intents.h) in numpy, for comparison with the library."""

import numpy as np

RULES = ("vote", "best", "blend")
TOP_K = 5
CANDIDATES = 64


def apply(rule, queries, examples, labels):
    """The winner and its score for each row of `queries`; `labels` are those of the rows of `examples`."""
    decide = {"vote": vote, "best": best, "blend": blend}[rule]
    names = list(dict.fromkeys(labels))
    labels = np.array([names.index(label) for label in labels])
    means = np.stack([unit(examples[labels == label].sum(axis=0)) for label in range(len(names))])
    winners, scores = [], []
    for similarity, to_means in zip(queries @ examples.T, queries @ means.T):
        nearest = np.argsort(-similarity, kind="stable")[:CANDIDATES]
        winner, score = decide(similarity[nearest].tolist(), labels[nearest].tolist(), to_means)
        winners.append(names[winner])
        scores.append(score)
    return winners, np.array(scores)


def unit(vector):
    length = np.linalg.norm(vector)
    return vector / length if length > 0 else vector


def best(similarity, labels, to_means):
    return labels[0], similarity[0]


def vote(similarity, labels, to_means):
    votes = {}
    for value, label in zip(similarity[:TOP_K], labels):
        votes[label] = votes.get(label, 0.0) + np.exp(10 * value)
    winner = max(votes, key=votes.get)  # the first of equals, and the nearest comes first
    return winner, similarity[labels.index(winner)]


def blend(similarity, labels, to_means):
    scores = {}
    for value, label in zip(similarity, labels):
        if label not in scores:
            scores[label] = (value + float(to_means[label])) / 2
    winner = max(scores, key=scores.get)
    return winner, scores[winner]
