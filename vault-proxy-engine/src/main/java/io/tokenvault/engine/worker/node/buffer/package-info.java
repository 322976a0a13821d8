/**
 * {@code Buffer}, text encoders and the classes on which they are built. Start with {@code
 * BufferClass}. Bytes are shared with scripts without copying.
 */
package io.tokenvault.engine.worker.node.buffer;
