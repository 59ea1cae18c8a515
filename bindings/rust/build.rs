//! Finds libxwalk.so: in the folder XWALK_LIB_DIR, or with pkg-config.

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-env-changed=XWALK_LIB_DIR");
    if let Some(folder) = std::env::var_os("XWALK_LIB_DIR") {
        let folder = Path::new(&folder);
        if !folder.join("libxwalk.so").exists() {
            fail(&format!("XWALK_LIB_DIR: no libxwalk.so in {}", folder.display()));
        }
        println!("cargo:rustc-link-search=native={}", folder.display());
        println!("cargo:rustc-link-lib=dylib=xwalk");
    } else if pkg_config::Config::new().atleast_version("0.1").probe("xwalk").is_err() {
        fail("pkg-config finds no xwalk: install its C library, or set XWALK_LIB_DIR to the folder of libxwalk.so");
    }
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    std::process::exit(1);
}
