"""The sentences of tasks: both questions, forests, mean ranks. Part of the catalogue in ``phrases``."""

from __future__ import annotations

TASKS: dict[str, str | dict[str, str]] = {
    "these tasks": "On these {size} tasks {winner} is better than {other} in {metric}, by {reach} ({level} interval).",
    "these tasks differ": (
        "On these {size} tasks {metric} differs between {a} and {b}: {b} − {a} is {low} to {high} ({level} interval)."
    ),
    "these tasks open": (
        "On these {size} tasks {a} and {b} are not told apart in {metric}: {b} − {a} may be anything from {low} to "
        "{high}."
    ),
    "tasks like these": "On tasks like these {winner} is better by {reach}",
    "tasks like these differ": "On tasks like these {b} − {a} is {low} to {high}",
    "tasks like these open": "On tasks like these it is not settled ({low} to {high})",
    "one new task": "; on one new task expect {low} to {high}.",
    "one new task better": "; on one new task expect {low} to {high}, {b} better with probability {chance}.",
    "tasks fixed": "These {size} tasks are meant, and only their {sampled} are a sample.",
    "tasks random": "The {size} tasks are taken as a sample of tasks like these.",
    "tasks like these, one model": "On tasks like these, of which the {size} are a sample: {reach}.",
    "these tasks, one model": "On these {size} tasks alone: {reach}.",
    "these": "these tasks",
    "like": "tasks like these",
    "common": "one common value",
    "random": "random effects",
    "new": "one new task",
    "forest heading": "Together",
    "forest": "{metric} of {model} in {size} tasks: {value}, {level} interval {reach} on these tasks",
    "forest these": "{reach} on these tasks",
    "forest like": "{reach} on tasks like these",
    "forest common": "{reach} by precision if all tasks have one value",
    "forest random": "{reach} by precision if they differ",
    "forest new": "{reach} on one new task",
    "forest together": "{metric} of {model}: {parts}.",
    "forest caption": (
        "{metric} of {model}, {level} intervals; the share is the weight in the mean. {effects}One new task: a "
        "prediction interval."
    ),
    "forest effects": "Random effects: Hartung and Knapp. ",
    "friedman": "Friedman, {metric} of {models} models in {size} tasks: χ²({df}) = {chi_squared}, F = {f}, {p}",
    "friedman alike": "The mean ranks over {size} tasks are not shown to differ in {metric} ({level}).",
    "friedman differ": (
        "The mean ranks over {size} tasks differ in {metric}; {best} has the best, and two models differ by Nemenyi's "
        "test where theirs lie {cd} or more apart ({level})."
    ),
    "friedman caption": "Mean ranks over tasks, 1 is the best; critical difference {cd} (Nemenyi, {level}).",
    "page tasks": "{metric} in each of {size} tasks",
    "few tasks": (
        "Only {size} tasks: what they say of tasks like these is uncertain; an odd task may be among those not seen."
    ),
    "ranks like these": "On tasks like these the ranks are {ranks}.",
    "ranks on these": "On these {size} tasks alone the ranks are {ranks}.",
    "tasks unlike": (
        "The tasks differ more than their {unit}s explain: standard deviation {tau} between tasks, {share} of the "
        "spread (Q = {q}, {p})."
    ),
    "tasks alike": ("The tasks differ no more than their {unit}s explain (Q = {q}, {p})."),
}
