/**
 * Bodies in the form in which transforms see them, and back: JSON, forms, text, bytes and content
 * codings. Data of a worker is never trusted.
 */
package io.tokenvault.engine.transform.content;
