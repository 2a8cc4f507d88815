# Two models on the same rows of a clustered, weighted or stratified sample, by the survey package: values, standard
# errors, and those of the paired difference b - a, all by Taylor linearisation (svymean, svycontrast).
# Writes design_rows.csv (the rows, generated here) and design_errors.csv.
# Run in this folder: Rscript design_make.R       Made with R 4.2.2, survey 4.1-1.
suppressPackageStartupMessages(library(survey))

set.seed(77)
clusters <- 24
group <- rep(seq_len(clusters), 3 + rpois(clusters, 6))
n <- length(group)
stratum <- c("north", "south", "west")[1 + group %% 3]
pool <- c(north = 400, south = 1500, west = 900)[stratum]     # rows of each stratum that could have been labelled
skill <- pmin(pmax(rnorm(clusters, 0.6, 0.2), 0.2), 0.9)[group]
truth <- sample(1:3, n, replace = TRUE, prob = c(0.45, 0.35, 0.2))
guess <- function(more) ifelse(runif(n) < skill + more, truth, sample(1:3, n, replace = TRUE))
a <- guess(0); b <- ifelse(runif(n) < 0.6, a, guess(0.08))
weight <- round(rgamma(n, 2, 1) + 0.2, 3)
rows <- data.frame(group, stratum, pool, weight, truth = letters[truth], a = letters[a], b = letters[b])
write.csv(rows, "design_rows.csv", row.names = FALSE, quote = FALSE)

for (k in 1:3) {
  rows[[paste0("t", k)]] <- as.numeric(truth == k)
  for (model in c("a", "b")) {
    said <- if (model == "a") a == k else b == k
    rows[[paste0(model, "p", k)]] <- as.numeric(said)
    rows[[paste0(model, "h", k)]] <- as.numeric(said & truth == k)
  }
}
shares <- c(paste0("t", 1:3), paste0(rep(c("ap", "ah", "bp", "bh"), each = 3), 1:3))
added <- function(parts) paste0("(", paste(parts, collapse = " + "), ")")
metrics_of <- function(m) {
  t <- paste0("t", 1:3); p <- paste0(m, "p", 1:3); h <- paste0(m, "h", 1:3)
  f1 <- sprintf("(2 * %s / (%s + %s))", h, t, p)
  chance <- added(sprintf("%s * %s", t, p))
  c(accuracy = added(h), "precision[a]" = sprintf("%s / %s", h[1], p[1]), "recall[b]" = sprintf("%s / %s", h[2], t[2]),
    "f1[c]" = f1[3], macro_f1 = sprintf("(%s / 3)", added(f1)), weighted_f1 = added(sprintf("%s * %s", t, f1)),
    balanced_accuracy = sprintf("(%s / 3)", added(sprintf("%s / %s", h, t))),
    kappa = sprintf("((%s - %s) / (1 - %s))", added(h), chance, chance))
}
rows$labelled <- as.numeric(table(stratum)[stratum])
rows$expansion <- rows$pool / rows$labelled
one <- rep(1, n)
designs <- list(
  groups = svydesign(ids = ~group, weights = ~one, data = rows),
  weights = svydesign(ids = ~1, weights = ~weight, data = rows),
  both = svydesign(ids = ~group, weights = ~weight, data = rows),
  strata = svydesign(ids = ~1, strata = ~stratum, weights = ~expansion, data = rows),
  pool = svydesign(ids = ~1, strata = ~stratum, weights = ~expansion, fpc = ~pool, data = rows),
  nested = svydesign(ids = ~group, strata = ~stratum, weights = ~expansion, data = rows)
)
of_a <- metrics_of("a"); of_b <- metrics_of("b")
found <- do.call(rbind, lapply(names(designs), function(design) {
  means <- svymean(reformulate(shares), designs[[design]])
  do.call(rbind, lapply(names(of_a), function(metric) {
    formulas <- c(a = of_a[[metric]], b = of_b[[metric]], difference = paste(of_b[[metric]], "-", of_a[[metric]]))
    do.call(rbind, lapply(names(formulas), function(what) {
      result <- svycontrast(means, list(parse(text = formulas[[what]])[[1]]))
      data.frame(design, metric, what, value = sprintf("%.15g", coef(result)), se = sprintf("%.15g", SE(result)))
    }))
  }))
}))
write.csv(found, "design_errors.csv", row.names = FALSE, quote = FALSE)
