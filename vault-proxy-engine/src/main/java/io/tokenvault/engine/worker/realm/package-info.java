/**
 * JavaScript realms: global objects, errors, timers and limits of one invocation. Start with {@code
 * RealmFactory}. A realm is used once, so that nothing survives an invocation.
 */
package io.tokenvault.engine.worker.realm;
