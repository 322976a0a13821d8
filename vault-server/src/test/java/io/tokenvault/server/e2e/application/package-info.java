/** Applications over HTTP: types, permissions, access rules, keys, limits and expiry. */
package io.tokenvault.server.e2e.application;
