# Standard errors by car's deltaMethod: symbolic derivatives of textbook formulas, covariance of a multinomial.
# Writes delta_tables.csv (the counts), delta_errors.csv (value and standard error of each metric of each table) and
# delta_pairs.csv (differences of two models on the same rows).
# Run in this folder: Rscript delta_make.R       Made with R 4.2.2, car 3.1-1.
suppressPackageStartupMessages(library(car))
digits <- function(x) sprintf("%.15g", x)

delta <- function(counts, formula) {
  n <- sum(counts); p <- counts / n
  found <- deltaMethod(p, formula, vcov. = (diag(p) - outer(p, p)) / n)
  data.frame(value = digits(found$Estimate), se = digits(found$SE))
}

# ---- one model, two classes: truth first, prediction second

two <- list(
  c(tn = 702, fp = 44, fn = 10, tp = 77), c(tn = 8, fp = 3, fn = 2, tp = 11), c(tn = 50, fp = 40, fn = 30, tp = 80),
  c(tn = 100000, fp = 40, fn = 55, tp = 120), c(tn = 3, fp = 250, fn = 170, tp = 900)
)
f <- function(beta) sprintf("%g * tp / (%g * tp + %g * fn + fp)", 1 + beta^2, 1 + beta^2, beta^2)
chance <- "((tp + fp) * (tp + fn) + (tn + fn) * (tn + fp))"
binary <- c(
  precision = "tp / (tp + fp)", recall = "tp / (tp + fn)", specificity = "tn / (tn + fp)", npv = "tn / (tn + fn)",
  accuracy = "tp + tn", f1 = f(1), f0.5 = f(0.5), f2 = f(2), f3 = f(3),
  "tversky(0.3,1.7)" = "tp / (tp + 0.3 * fp + 1.7 * fn)", jaccard = "tp / (tp + fp + fn)",
  mcc = "(tp * tn - fp * fn) / sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))",
  kappa = sprintf("(tp + tn - %s) / (1 - %s)", chance, chance),
  balanced_accuracy = "(tp / (tp + fn) + tn / (tn + fp)) / 2", informedness = "tp / (tp + fn) + tn / (tn + fp) - 1",
  markedness = "tp / (tp + fp) + tn / (tn + fn) - 1", g_mean = "sqrt(tp / (tp + fn) * tn / (tn + fp))",
  fowlkes_mallows = "tp / sqrt((tp + fp) * (tp + fn))", lift = "tp / ((tp + fp) * (tp + fn))",
  lr_plus = "(tp / (tp + fn)) / (fp / (fp + tn))", lr_minus = "(fn / (tp + fn)) / (tn / (fp + tn))",
  odds_ratio = "tp * tn / (fp * fn)", prevalence = "tp + fn",
  macro_f1 = "(2 * tp / (2 * tp + fp + fn) + 2 * tn / (2 * tn + fp + fn)) / 2"
)

# ---- one model, three classes: cell pij has truth i, prediction j

three <- list(
  c(12, 2, 5, 1, 70, 4, 3, 6, 15), c(400, 31, 17, 60, 150, 22, 9, 41, 88), c(3, 1, 1, 2, 4, 1, 1, 1, 6),
  c(90000, 20, 300, 15, 60, 4, 110, 7, 450)
)
cells <- paste0("p", rep(1:3, each = 3), 1:3)
a <- c("(p11 + p12 + p13)", "(p21 + p22 + p23)", "(p31 + p32 + p33)")
b <- c("(p11 + p21 + p31)", "(p12 + p22 + p32)", "(p13 + p23 + p33)")
hit <- c("p11", "p22", "p33")
f1 <- sprintf("(2 * %s / (%s + %s))", hit, a, b)
f05 <- sprintf("(1.25 * %s / (0.25 * %s + %s))", hit, a, b)
tversky <- sprintf("(%s / (%s + 0.3 * (%s - %s) + 1.7 * (%s - %s)))", hit, hit, b, hit, a, hit)
added <- function(parts) paste0("(", paste(parts, collapse = " + "), ")")
agree <- added(hit)
by_chance <- added(sprintf("%s * %s", a, b))
squares <- function(margins) sprintf("(1 - %s)", added(paste0(margins, "^2")))
precision <- sprintf("(%s / 3)", added(sprintf("%s / %s", hit, b)))
recall <- sprintf("(%s / 3)", added(sprintf("%s / %s", hit, a)))
weighted_kappa <- function(power) {
  weight <- 1 - (abs(outer(1:3, 1:3, "-")) / 2)^power
  seen <- added(sprintf("%.17g * p%d%d", weight, row(weight), col(weight)))
  expected <- added(sprintf("%.17g * %s * %s", weight, a[row(weight)], b[col(weight)]))
  sprintf("(%s - %s) / (1 - %s)", seen, expected, expected)
}
several <- c(
  accuracy = agree, macro_precision = precision, balanced_accuracy = recall,
  macro_f1 = sprintf("%s / 3", added(f1)), macro_f0.5 = sprintf("%s / 3", added(f05)),
  "macro_tversky(0.3,1.7)" = sprintf("%s / 3", added(tversky)), weighted_f1 = added(sprintf("%s * %s", a, f1)),
  macro_f1_star = sprintf("2 * %s * %s / (%s + %s)", precision, recall, precision, recall),
  mcc = sprintf("(%s - %s) / sqrt(%s * %s)", agree, by_chance, squares(a), squares(b)),
  kappa = sprintf("(%s - %s) / (1 - %s)", agree, by_chance, by_chance),
  kappa_linear = weighted_kappa(1), kappa_quadratic = weighted_kappa(2), "f1[2]" = f1[2], "f0.5[3]" = f05[3]
)

# ---- two models on the same rows: cell tab has truth t, predictions a and b

pairs <- list(
  c(230, 21, 14, 35, 30, 22, 41, 180), c(12, 3, 2, 5, 4, 1, 6, 17), c(9000, 60, 75, 40, 25, 30, 18, 260)
)
eight <- paste0("p", rep(0:1, each = 4), rep(0:1, each = 2), 0:1)
model <- function(formula, which) {  # tp of model a is p11*, of model b p1*1
  at <- function(truth, guess) {
    other <- if (which == "a") sprintf("p%d%d%d", truth, guess, 0:1) else sprintf("p%d%d%d", truth, 0:1, guess)
    added(other)
  }
  for (cell in list(list("tp", 1, 1), list("fp", 0, 1), list("fn", 1, 0), list("tn", 0, 0)))
    formula <- gsub(paste0("\\b", cell[[1]], "\\b"), at(cell[[2]], cell[[3]]), formula)
  paste0("(", formula, ")")
}
compared <- c("precision", "recall", "accuracy", "f1", "f0.5", "mcc", "kappa", "balanced_accuracy", "macro_f1")

counts <- list(); errors <- list(); differences <- list()
for (place in seq_along(two)) {
  name <- paste0("two-", place)
  counts[[length(counts) + 1]] <- data.frame(table = name, cell = names(two[[place]]), count = sprintf("%d", as.integer(two[[place]])))
  for (metric in names(binary))
    errors[[length(errors) + 1]] <- data.frame(table = name, metric, delta(two[[place]], binary[[metric]]))
}
for (place in seq_along(three)) {
  name <- paste0("three-", place); table <- setNames(three[[place]], cells)
  counts[[length(counts) + 1]] <- data.frame(table = name, cell = cells, count = sprintf("%d", as.integer(table)))
  for (metric in names(several))
    errors[[length(errors) + 1]] <- data.frame(table = name, metric, delta(table, several[[metric]]))
}
for (place in seq_along(pairs)) {
  name <- paste0("pair-", place); table <- setNames(pairs[[place]], eight)
  counts[[length(counts) + 1]] <- data.frame(table = name, cell = eight, count = sprintf("%d", as.integer(table)))
  for (metric in compared) {
    formula <- paste(model(binary[[metric]], "b"), "-", model(binary[[metric]], "a"))
    differences[[length(differences) + 1]] <- data.frame(table = name, metric, delta(table, formula))
  }
}
quoted <- function(found) { found <- do.call(rbind, found); found$metric <- dQuote(found$metric, FALSE); found }
write.csv(do.call(rbind, counts), "delta_tables.csv", row.names = FALSE, quote = FALSE)
write.csv(quoted(errors), "delta_errors.csv", row.names = FALSE, quote = FALSE)
write.csv(quoted(differences), "delta_pairs.csv", row.names = FALSE, quote = FALSE)
