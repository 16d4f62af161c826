//! The languages Regulus reads.
