/** Dates and numbers as text, as Node.js formats them in American English without {@code Intl}. */
package io.tokenvault.engine.worker.node.util;
