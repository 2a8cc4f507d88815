"""The caption of comparisons under the name that the figures ask for."""

from __future__ import annotations

from howsure.reports.describe import comparison_caption as caption

__all__ = ["caption"]
