/**
 * The globals and built-in modules of Node.js that scripts may use. Start with {@code NodeSurface}.
 * Differences from Node.js are listed in docs/transforms.md.
 */
package io.tokenvault.engine.worker.node;
