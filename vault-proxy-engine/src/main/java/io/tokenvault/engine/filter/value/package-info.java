/**
 * Values between filters, and the limits of the work on them. Start with {@code FilterValue} and
 * {@code EvaluationLimits}.
 */
package io.tokenvault.engine.filter.value;
