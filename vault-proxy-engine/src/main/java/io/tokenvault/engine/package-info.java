/** The proxy: a request's way from the caller to its destination and back, step by step. */
package io.tokenvault.engine;
