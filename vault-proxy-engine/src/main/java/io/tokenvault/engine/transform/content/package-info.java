/**
 * Bodies as transforms see them and back: JSON, forms, text, bytes and content codings. Nothing
 * that comes from a worker is trusted.
 */
package io.tokenvault.engine.transform.content;
