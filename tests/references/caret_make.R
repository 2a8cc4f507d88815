# Every value of caret's confusionMatrix, by class and overall. Writes caret_tables.csv and caret_values.csv.
# Run in this folder: Rscript caret_make.R       Made with R 4.2.2, caret 6.0-93.
suppressPackageStartupMessages(library(caret))

set.seed(5)
tables <- list(matrix(c(702, 44, 10, 77), 2), matrix(c(9, 4, 3, 12), 2))
for (k in c(3, 4, 6)) tables[[length(tables) + 1]] <- matrix(rpois(k * k, 6) + 1, k) + diag(rpois(k, 35), k)

counts <- list(); values <- list()
keep <- function(place, class, name, value) values[[length(values) + 1]] <<-
  data.frame(table = place, class, name, value = sprintf("%.15g", value))
for (place in seq_along(tables)) {
  table <- tables[[place]]; k <- nrow(table); labels <- letters[1:k]
  dimnames(table) <- list(prediction = labels, truth = labels)
  counts[[place]] <- data.frame(table = place, prediction = labels[row(table)], truth = labels[col(table)], count = c(table))
  found <- confusionMatrix(as.table(table), positive = labels[k])
  keep(place, "", names(found$overall), found$overall)
  by_class <- if (k == 2) matrix(found$byClass, 1, dimnames = list("b", names(found$byClass))) else found$byClass
  for (line in seq_len(nrow(by_class)))
    keep(place, sub("Class: ", "", rownames(by_class)[line]), colnames(by_class), by_class[line, ])
}
write.csv(do.call(rbind, counts), "caret_tables.csv", row.names = FALSE, quote = FALSE)
write.csv(do.call(rbind, values), "caret_values.csv", row.names = FALSE, quote = FALSE)
