/**
 * Failures, as a closed list of causes. Start with {@code FailureCause}. Messages name the invalid
 * property and the expected value; they never repeat data.
 */
package io.tokenvault.domain.failure;
