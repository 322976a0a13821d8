/**
 * What can go wrong, as a closed list. Start with {@code FailureCause}. Messages name what is wrong
 * and what is expected; they never repeat data.
 */
package io.tokenvault.domain.failure;
