/**
 * What is known of an invocation: its route, target, headers and body. Start with {@code Exchange},
 * which is immutable except that its body can be taken once. Whoever takes a body closes it and
 * releases its memory.
 */
package io.tokenvault.engine.exchange;
