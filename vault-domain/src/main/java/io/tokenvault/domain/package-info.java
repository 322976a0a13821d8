/**
 * What is true in a token vault without a database or a network. Depends on the JDK only, so that a
 * service can embed it to decide about permissions and access rules by itself.
 */
package io.tokenvault.domain;
