/**
 * Services that use cases need from the process around them: evaluation of expressions, compilation
 * of transforms, JSON, rate limits, leader election, and the memory that requests use together.
 * Start with {@code Expressions}. Implementations are thread-safe unless a type states otherwise.
 */
package io.tokenvault.ports.runtime;
