/**
 * The filters of expressions, the values between them, and the limits of the work on them. Start
 * with {@code FilterChain}, which has a closed list of the filters. The cost of each is bounded by
 * the length of its input.
 */
package io.tokenvault.engine.filter;
