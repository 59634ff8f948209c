#pragma once

// Shared by ovf, which lists these commands, and ovf-vision, which has them.
inline constexpr const char* kTrainVae = "train-vae";
inline constexpr const char* kTrainVaeDescription =
    "Train a model of pictures (variational auto-encoder) on folders and recordings";
inline constexpr const char* kTestVae = "test-vae";
inline constexpr const char* kTestVaeDescription =
    "How well a model of pictures reconstructs others: explained variance, and a sheet to look at";
