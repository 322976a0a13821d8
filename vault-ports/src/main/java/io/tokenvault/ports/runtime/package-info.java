/**
 * Services that use cases need from the process around them: evaluating expressions, compiling
 * transforms, JSON, rate limits, leader election. Start with {@code Expressions}. Implementations
 * are thread-safe.
 */
package io.tokenvault.ports.runtime;
