/** Dates and numbers as text, formatted as in Node.js in American English, without {@code Intl}. */
package io.tokenvault.engine.worker.node.util;
