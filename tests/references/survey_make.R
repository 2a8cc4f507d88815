# Standard errors of smooth functions of weighted, clustered cell shares, by the survey package (Taylor linearisation).
# Writes survey_rows.csv (the rows, generated here) and survey_errors.csv (value and standard error by design).
# Run in this folder: Rscript survey_make.R       Made with R 4.2.2, survey 4.1-1.
suppressPackageStartupMessages(library(survey))

set.seed(2024)
clusters <- 14
sizes <- 4 + rpois(clusters, 6)
group <- rep(seq_len(clusters), sizes)
n <- length(group)
skill <- pmin(pmax(rnorm(clusters, 0.65, 0.2), 0.2), 0.95)[group]
truth <- sample(1:3, n, replace = TRUE, prob = c(0.5, 0.3, 0.2))
guess <- ifelse(runif(n) < skill, truth, sample(1:3, n, replace = TRUE))
weight <- round(rgamma(n, 2, 1) + 0.2, 3)
rows <- data.frame(group, truth = letters[truth], guess = letters[guess], weight)
write.csv(rows, "survey_rows.csv", row.names = FALSE)

cells <- expand.grid(guess = 1:3, truth = 1:3)
names_of_cells <- paste0("p", cells$truth, cells$guess)
for (k in seq_len(nrow(cells))) {
  rows[[names_of_cells[k]]] <- as.numeric(truth == cells$truth[k] & guess == cells$guess[k])
}
formula_of_cells <- reformulate(names_of_cells)

a1 <- "(p11 + p12 + p13)"; a2 <- "(p21 + p22 + p23)"; a3 <- "(p31 + p32 + p33)"
b1 <- "(p11 + p21 + p31)"; b2 <- "(p12 + p22 + p32)"; b3 <- "(p13 + p23 + p33)"
agree <- "(p11 + p22 + p33)"
chance <- sprintf("(%s * %s + %s * %s + %s * %s)", a1, b1, a2, b2, a3, b3)
f <- function(hit, a, b) sprintf("(2 * %s / (%s + %s))", hit, a, b)
precision <- sprintf("((p11 / %s + p22 / %s + p33 / %s) / 3)", b1, b2, b3)
recall <- sprintf("((p11 / %s + p22 / %s + p33 / %s) / 3)", a1, a2, a3)
rest <- sprintf("(1 - %s - %s + p33)", a3, b3)

metrics <- c(
  accuracy = agree,
  macro_f1 = sprintf("(%s + %s + %s) / 3", f("p11", a1, b1), f("p22", a2, b2), f("p33", a3, b3)),
  weighted_f1 = sprintf("%s * %s + %s * %s + %s * %s", a1, f("p11", a1, b1), a2, f("p22", a2, b2), a3, f("p33", a3, b3)),
  balanced_accuracy = recall,
  macro_f1_star = sprintf("2 * %s * %s / (%s + %s)", precision, recall, precision, recall),
  kappa = sprintf("(%s - %s) / (1 - %s)", agree, chance, chance),
  mcc = sprintf("(%s - %s) / sqrt((1 - %s^2 - %s^2 - %s^2) * (1 - %s^2 - %s^2 - %s^2))",
                agree, chance, a1, a2, a3, b1, b2, b3),
  "precision[b]" = sprintf("p22 / %s", b2),
  "specificity[c]" = sprintf("%s / (1 - %s)", rest, a3),
  "odds_ratio[c]" = sprintf("p33 * %s / ((%s - p33) * (%s - p33))", rest, a3, b3),
  "g_mean" = sprintf("exp((log(p11 / %s) + log(p22 / %s) + log(p33 / %s)) / 3)", a1, a2, a3)
)

designs <- list(
  groups = svydesign(ids = ~group, weights = ~1, data = rows),
  weights = svydesign(ids = ~1, weights = ~weight, data = rows),
  both = svydesign(ids = ~group, weights = ~weight, data = rows)
)

found <- do.call(rbind, lapply(names(designs), function(kind) {
  shares <- svymean(formula_of_cells, designs[[kind]])
  do.call(rbind, lapply(names(metrics), function(metric) {
    result <- svycontrast(shares, list(parse(text = metrics[[metric]])[[1]]))
    data.frame(design = kind, metric = metric, value = sprintf("%.17g", coef(result)), se = sprintf("%.17g", SE(result)))
  }))
}))
write.csv(found, "survey_errors.csv", row.names = FALSE, quote = FALSE)
