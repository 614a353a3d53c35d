//! Images are decoded and re-encoded: only the pixels are kept, without anything that a camera or anyone else has
//! added, such as where the picture was taken.

use std::io::Cursor;

use image::codecs::jpeg::{JpegDecoder, JpegEncoder};
use image::codecs::png::{PngDecoder, PngEncoder};
use image::{DynamicImage, ImageDecoder, ImageError, ImageResult, Limits};

use domain::documents::Rejection;

/// Maximum pixels: a scan of a large sheet.
const MAX_PIXELS: u64 = 50_000_000;
/// Maximum bytes of pixels: four for each, so half as many pixels of twice the depth.
const MAX_BYTES: u64 = 4 * MAX_PIXELS;
/// JPEG quality: hard to tell from the original, and about as large.
const QUALITY: u8 = 90;

pub(super) fn jpeg(content: &[u8]) -> Result<Vec<u8>, Rejection> {
    // Decoders fill what is missing with grey; a scan that ends halfway is of no use to anyone.
    if !ends_as_jpeg(content) {
        return Err(Rejection::DamagedImage);
    }
    let image = upright(JpegDecoder::new(Cursor::new(content)))?;
    let mut written = Vec::with_capacity(content.len());
    let encoder = JpegEncoder::new_with_quality(&mut written, QUALITY);
    // JPEG supports neither transparency nor 16 bits.
    let image = match image {
        DynamicImage::ImageLuma8(_) | DynamicImage::ImageRgb8(_) => image,
        other => DynamicImage::ImageRgb8(other.into_rgb8()),
    };
    image.write_with_encoder(encoder).map_err(damaged)?;
    Ok(written)
}

pub(super) fn png(content: &[u8]) -> Result<Vec<u8>, Rejection> {
    let image = upright(PngDecoder::new(Cursor::new(content)))?;
    let mut written = Vec::with_capacity(content.len());
    image.write_with_encoder(PngEncoder::new(&mut written)).map_err(damaged)?;
    Ok(written)
}

/// Decodes the pixels, rotated as the camera meant them.
fn upright<D: ImageDecoder>(decoder: ImageResult<D>) -> Result<DynamicImage, Rejection> {
    let mut decoder = decoder.map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_PIXELS || decoder.total_bytes() > MAX_BYTES {
        return Err(Rejection::TooManyPixels);
    }
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_BYTES);
    decoder.set_limits(limits).map_err(damaged)?;
    // A nonsensical orientation is no reason to refuse the picture.
    let orientation = decoder.orientation().ok();
    let mut image = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    if let Some(orientation) = orientation {
        image.apply_orientation(orientation);
    }
    Ok(image)
}

fn damaged(error: ImageError) -> Rejection {
    match error {
        ImageError::Limits(_) => Rejection::TooManyPixels,
        _ => Rejection::DamagedImage,
    }
}

/// Whether the picture has an end marker after its last scan has begun. (What comes before, such as a thumbnail, has
/// its own end markers.)
fn ends_as_jpeg(content: &[u8]) -> bool {
    let mut at = 2;
    while let Some(&[0xff, marker]) = content.get(at..at + 2).and_then(|two| two.first_chunk()) {
        match marker {
            0xff => at += 1,
            0xd9 => return true,
            0x01 | 0xd0..=0xd7 => at += 2,
            _ => {
                let Some(&length) = content.get(at + 2..).and_then(|rest| rest.first_chunk::<2>()) else {
                    return false;
                };
                at += 2 + usize::from(u16::from_be_bytes(length));
                if marker == 0xda {
                    // The scan: up to the next marker that is neither stuffing nor a restart.
                    while let Some(two) = content.get(at..at + 2) {
                        if two[0] == 0xff && !matches!(two[1], 0x00 | 0xd0..=0xd7 | 0xff) {
                            break;
                        }
                        at += 1;
                    }
                }
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use image::{ExtendedColorType, ImageEncoder, RgbImage};

    use super::*;

    fn picture() -> RgbImage {
        RgbImage::from_fn(40, 20, |x, y| image::Rgb([(x * 6) as u8, (y * 12) as u8, 90]))
    }

    fn as_jpeg() -> Vec<u8> {
        let mut written = Vec::new();
        JpegEncoder::new_with_quality(&mut written, 95).encode_image(&picture()).unwrap();
        written
    }

    fn as_png() -> Vec<u8> {
        let mut written = Vec::new();
        let pixels = picture().into_raw();
        PngEncoder::new(&mut written).write_image(&pixels, 40, 20, ExtendedColorType::Rgb8).unwrap();
        written
    }

    /// Returns the JPEG with an EXIF block that says to rotate it by 90 degrees, and a word that must not be kept.
    fn turned_jpeg() -> Vec<u8> {
        let mut exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0".to_vec();
        exif.extend_from_slice(b"SECRET-PLACE");
        let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
        let plain = as_jpeg();
        [&plain[..2], &[0xff, 0xe1], &length, &exif, &plain[2..]].concat()
    }

    fn has(content: &[u8], word: &[u8]) -> bool {
        content.windows(word.len()).any(|window| window == word)
    }

    #[test]
    fn pictures_are_kept_without_what_was_beside_them() {
        let turned = turned_jpeg();
        assert!(has(&turned, b"SECRET-PLACE"));
        let kept = jpeg(&turned).unwrap();
        assert!(!has(&kept, b"SECRET-PLACE") && !has(&kept, b"Exif"));
        let image = image::load_from_memory(&kept).unwrap();
        assert_eq!((image.width(), image.height()), (20, 40), "turned as the camera said");

        let kept = png(&as_png()).unwrap();
        assert_eq!(image::load_from_memory(&kept).unwrap().into_rgb8(), picture());
    }

    #[test]
    fn damaged_pictures_are_refused() {
        let (whole_jpeg, whole_png) = (as_jpeg(), as_png());
        assert!(jpeg(&whole_jpeg).is_ok() && png(&whole_png).is_ok());
        for cut in [3, 30, whole_jpeg.len() / 2, whole_jpeg.len() - 2] {
            assert_eq!(jpeg(&whole_jpeg[..cut]), Err(Rejection::DamagedImage), "{cut}");
        }
        for cut in [9, 30, whole_png.len() / 2, whole_png.len() - 20] {
            assert_eq!(png(&whole_png[..cut]), Err(Rejection::DamagedImage), "{cut}");
        }
        let mut bad_sum = whole_png;
        // The last byte of the checksum of the first chunk.
        bad_sum[32] ^= 1;
        assert_eq!(png(&bad_sum), Err(Rejection::DamagedImage));
    }

    #[test]
    fn a_picture_that_unpacks_to_gigabytes_is_refused_before_it_does() {
        // With 8 bits, more pixels than allowed; with 16 and transparency, an allowed number, of eight bytes each.
        for (width, height, depth, color) in [(0xffff_u32, 0xffff_u32, 8_u8, 2_u8), (7_000, 7_000, 16, 6)] {
            let mut huge = as_png();
            huge[16..20].copy_from_slice(&width.to_be_bytes());
            huge[20..24].copy_from_slice(&height.to_be_bytes());
            (huge[24], huge[25]) = (depth, color);
            let sum = {
                let mut crc = flate2::Crc::new();
                crc.update(&huge[12..29]);
                crc.sum()
            };
            huge[29..33].copy_from_slice(&sum.to_be_bytes());
            assert_eq!(png(&huge), Err(Rejection::TooManyPixels), "{depth}");
        }
    }
}
