"""Coverage with a judge of row values, and of labels drawn in strata: docs/explanation/judge-cases.json.

python scripts/judge_cases.py build/cases.jsonl                                                  # resumable
python scripts/judge_cases.py build/cases.jsonl --summary docs/explanation/judge-cases.json
"""

from __future__ import annotations

from agreement_coverage import show

from studies import judge_cases

if __name__ == "__main__":
    show(judge_cases, __doc__)
