/**
 * Values between filters, and the budget that limits the work on them. Start with {@code
 * FilterValue} and {@code EvaluationBudget}.
 */
package io.tokenvault.engine.filter.value;
