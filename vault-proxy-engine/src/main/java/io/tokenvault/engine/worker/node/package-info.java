/**
 * The part of Node.js that scripts may use: globals and built-in modules. Where it differs from
 * Node.js, the page on transforms says so.
 */
package io.tokenvault.engine.worker.node;
