package io.tokenvault.planted.domain;

import com.fasterxml.jackson.databind.JsonNode;

/** Violates: the domain uses the JDK only, and not Jackson. */
record DomainWithLibrary(JsonNode node) {}
