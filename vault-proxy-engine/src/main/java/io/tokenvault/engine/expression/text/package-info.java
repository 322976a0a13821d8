/**
 * Characters, charsets and media types. The scanners' interfaces live here, so that each syntax can
 * be read on its own.
 */
package io.tokenvault.engine.expression.text;
