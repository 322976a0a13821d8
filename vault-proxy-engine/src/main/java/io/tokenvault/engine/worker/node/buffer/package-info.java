/**
 * {@code Buffer}, text encoders and the classes behind them. Start with {@code BufferClass}. Shares
 * bytes with scripts without copying.
 */
package io.tokenvault.engine.worker.node.buffer;
