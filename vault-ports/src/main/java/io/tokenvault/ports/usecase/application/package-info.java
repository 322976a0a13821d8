/**
 * Managing applications and their API keys. Start with {@code ManageApplications}. A key is
 * returned once, when it is created or regenerated; only its keyed hash is stored.
 */
package io.tokenvault.ports.usecase.application;
