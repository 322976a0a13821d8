/**
 * Expressions in XML. Start with {@code XmlLexer}. Data is escaped for the place where it is
 * written; no entity is declared, fetched or expanded.
 */
package io.tokenvault.engine.expression.xml;
