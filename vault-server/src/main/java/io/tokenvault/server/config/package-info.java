/** Configuration: every value, where it comes from, and what is wrong with it. */
package io.tokenvault.server.config;
