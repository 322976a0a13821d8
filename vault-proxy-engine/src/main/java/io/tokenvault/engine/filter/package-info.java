/** The filters of expressions: how a chain is read, and what each filter makes of a value. */
package io.tokenvault.engine.filter;
