package io.tokenvault.planted.ports.usecase.token;

/** Stands for the class that decrypts tokens. */
final class TokenContents {

  String decrypt() {
    return "";
  }
}
