/**
 * The composition root: the one place that reads the environment, picks implementations and puts
 * them together.
 */
package io.tokenvault.server;
