use crate::error::{Error, ErrorKind, Result};
use serde_json::{Map, Value};
use std::ffi::CString;

/// Declares a type of words: its variants are the words of the library.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($variant:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $(#[doc = concat!("`", $word, "`")] $variant,)*
        }

        impl $name {
            /// All of them, in their order.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// Returns the word of the library.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = crate::Error;

            fn from_str(word: &str) -> crate::Result<$name> {
                crate::options::find_word(word, stringify!($name), $name::ALL, |one| one.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> std::result::Result<$name, D::Error> {
                String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use words;

pub(crate) fn find_word<T: Copy>(word: &str, what: &str, all: &[T], name: impl Fn(T) -> &'static str) -> Result<T> {
    all.iter().copied().find(|one| name(*one) == word).ok_or_else(|| {
        let known = all.iter().map(|one| name(*one)).collect::<Vec<_>>().join(", ");
        Error::new(ErrorKind::Usage, format!("{what}: expected {known}, found {word:?}"))
    })
}

/// The options of a conversion. All functions take the same options. An option that a function
/// does not use is checked and has no effect.
///
/// ```
/// use xwalk::{OnError, Options};
///
/// let options = Options::new().on_error(OnError::Skip).limit(10).rename([("old", "new")]);
/// assert_eq!(options.to_json(), r#"{"limit":10,"on_error":"skip","rename":{"old":"new"}}"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options(Map<String, Value>);

impl Options {
    /// Returns options of which none is set.
    pub fn new() -> Options {
        Options::default()
    }

    /// Sets an option by its name, also one that only a newer library has.
    #[must_use]
    pub fn set(mut self, name: &str, value: impl Into<Value>) -> Options {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// Returns the options as the library reads them.
    pub fn to_json(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }

    pub(crate) fn to_c(&self) -> CString {
        CString::new(self.to_json()).expect("JSON has no zero byte")
    }
}

pub(crate) fn list(values: impl IntoIterator<Item = impl Into<String>>) -> Vec<String> {
    values.into_iter().map(Into::into).collect()
}

pub(crate) fn object(values: impl IntoIterator<Item = (impl Into<String>, impl Into<Value>)>) -> Map<String, Value> {
    values.into_iter().map(|(name, value)| (name.into(), value.into())).collect()
}
