/**
 * Characters, charsets and media types. The interfaces of the scanners are here, so that the
 * syntaxes do not depend on each other.
 */
package io.tokenvault.engine.expression.text;
