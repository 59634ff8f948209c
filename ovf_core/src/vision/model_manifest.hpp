#pragma once

namespace ovf {

// Names in the folder of a model and in its manifest.
inline constexpr const char* kManifestFormat = "ovf-image-model";
inline constexpr int kManifestVersion = 2;
inline constexpr const char* kPixelOrder = "red, green, blue; each row by row from the top";
inline constexpr const char* kManifestFile = "manifest.json";
inline constexpr const char* kPixelScaleFile = "pixel_scale.f32";
inline constexpr const char* kDecoderFile = "decoder.f32";
inline constexpr const char* kEncoderFile = "encoder.f32";
inline constexpr const char* kContactSheetFile = "contact_sheet.png";

}  // namespace ovf
