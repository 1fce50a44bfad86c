//! A cryptography that protects nothing, for simulations: no randomness, no cost, but a handshake of
//! realistic sizes and flights, and tags of the right length on every packet.

use std::any::Any;
use std::sync::Arc;

use bytes::BytesMut;
use quinn_proto::crypto::{
    AeadKey, ClientConfig, CryptoError, ExportKeyingMaterialError, HandshakeTokenKey, HeaderKey,
    HmacKey, KeyPair, Keys, PacketKey, ServerConfig, Session, UnsupportedVersion,
};
use quinn_proto::transport_parameters::TransportParameters;
use quinn_proto::{ConnectError, ConnectionId, Side, TransportError, TransportErrorCode};

const TAG: [u8; 16] = [0xA5; 16];

/// Sizes of the messages of the handshake, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// The client's first message.
    pub client_hello: usize,
    /// The server's first message.
    pub server_hello: usize,
    /// Encrypted extensions, certificate, verification and Finished.
    pub server_flight: usize,
    /// The client's last message.
    pub client_finished: usize,
}

/// Those of TLS 1.3 with a small certificate chain.
pub const TYPICAL: Sizes = Sizes {
    client_hello: 280,
    server_hello: 90,
    server_flight: 1500,
    client_finished: 36,
};

/// The configuration of sessions with messages of these sizes.
#[derive(Clone, Copy, Debug)]
pub struct Null(pub Sizes);

fn keys() -> Keys {
    Keys {
        header: KeyPair {
            local: Box::new(NullKey),
            remote: Box::new(NullKey),
        },
        packet: packet_keys(),
    }
}

fn packet_keys() -> KeyPair<Box<dyn PacketKey>> {
    KeyPair {
        local: Box::new(NullKey),
        remote: Box::new(NullKey),
    }
}

impl ClientConfig for Null {
    fn start_session(
        self: Arc<Self>,
        _version: u32,
        _name: &str,
        params: &TransportParameters,
    ) -> Result<Box<dyn Session>, ConnectError> {
        Ok(Box::new(NullSession::new(Side::Client, self.0, params)))
    }
}

impl ServerConfig for Null {
    fn initial_keys(&self, _: u32, _: &ConnectionId) -> Result<Keys, UnsupportedVersion> {
        Ok(keys())
    }

    fn retry_tag(&self, _: u32, _: &ConnectionId, _: &[u8]) -> [u8; 16] {
        TAG
    }

    fn start_session(
        self: Arc<Self>,
        _version: u32,
        params: &TransportParameters,
    ) -> Box<dyn Session> {
        Box::new(NullSession::new(Side::Server, self.0, params))
    }
}

/// The stages of the handshake, for both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The client's first message, or the server's wait for it.
    Hello,
    /// The client waits for the server's hello; the server has read the client's.
    Answer,
    /// The client waits for the server's flight; the server owes it.
    Flight,
    /// The client owes its Finished; the server waits for it.
    Finish,
    Done,
}

struct NullSession {
    side: Side,
    sizes: Sizes,
    stage: Stage,
    params: Vec<u8>,
    read: Vec<u8>,
    peer: Option<Vec<u8>>,
    /// The client has read the server's hello, and not yet taken its keys.
    owes_keys: bool,
}

impl NullSession {
    fn new(side: Side, sizes: Sizes, params: &TransportParameters) -> NullSession {
        let mut encoded = Vec::new();
        params.write(&mut encoded);
        NullSession {
            side,
            sizes,
            stage: Stage::Hello,
            params: encoded,
            read: Vec::new(),
            peer: None,
            owes_keys: false,
        }
    }

    /// A message: its length and that of the parameters in it, the parameters, and padding.
    fn message(&self, buf: &mut Vec<u8>, least: usize, with_params: bool) {
        let params: &[u8] = if with_params { &self.params } else { &[] };
        let length = least.max(params.len() + 4);
        buf.extend_from_slice(&(length as u16).to_be_bytes());
        buf.extend_from_slice(&(params.len() as u16).to_be_bytes());
        buf.extend_from_slice(params);
        buf.resize(buf.len() + length - params.len() - 4, 0);
    }

    /// The parameters in the next whole message that was read.
    fn next_message(&mut self) -> Option<Vec<u8>> {
        let of = |at: usize| {
            Some(usize::from(u16::from_be_bytes([
                *self.read.get(at)?,
                *self.read.get(at + 1)?,
            ])))
        };
        let (length, params) = (of(0)?, of(2)?);
        if self.read.len() < length {
            return None;
        }
        let message: Vec<u8> = self.read.drain(..length).collect();
        Some(message[4..4 + params].to_vec())
    }
}

impl Session for NullSession {
    fn initial_keys(&self, _: &ConnectionId, _: Side) -> Keys {
        keys()
    }

    fn handshake_data(&self) -> Option<Box<dyn Any>> {
        None
    }

    fn peer_identity(&self) -> Option<Box<dyn Any>> {
        None
    }

    fn early_crypto(&self) -> Option<(Box<dyn HeaderKey>, Box<dyn PacketKey>)> {
        None
    }

    fn early_data_accepted(&self) -> Option<bool> {
        None
    }

    fn is_handshaking(&self) -> bool {
        self.stage != Stage::Done
    }

    fn read_handshake(&mut self, buf: &[u8]) -> Result<bool, TransportError> {
        self.read.extend_from_slice(buf);
        while let Some(params) = self.next_message() {
            self.stage = match (self.side, self.stage) {
                (Side::Server, Stage::Hello) => {
                    self.peer = Some(params);
                    Stage::Answer
                }
                (Side::Client, Stage::Answer) => Stage::Flight,
                (Side::Client, Stage::Flight) => {
                    self.peer = Some(params);
                    Stage::Finish
                }
                (Side::Server, Stage::Finish) => Stage::Done,
                _ => {
                    // TLS alert 10: unexpected message.
                    return Err(TransportErrorCode::crypto(10).into());
                }
            };
            if (self.side, self.stage) == (Side::Client, Stage::Flight) {
                self.owes_keys = true;
            }
        }
        Ok(false)
    }

    fn transport_parameters(&self) -> Result<Option<TransportParameters>, TransportError> {
        let read = |mut bytes: &[u8]| TransportParameters::read(self.side, &mut bytes);
        Ok(self.peer.as_deref().map(read).transpose()?)
    }

    fn write_handshake(&mut self, buf: &mut Vec<u8>) -> Option<Keys> {
        match (self.side, self.stage) {
            (Side::Client, Stage::Hello) => {
                self.message(buf, self.sizes.client_hello, true);
                self.stage = Stage::Answer;
                None
            }
            (Side::Client, Stage::Flight) => std::mem::take(&mut self.owes_keys).then(keys),
            (Side::Client, Stage::Finish) => {
                // Both messages may have been read before the first keys were asked for.
                if std::mem::take(&mut self.owes_keys) {
                    return Some(keys());
                }
                self.message(buf, self.sizes.client_finished, false);
                self.stage = Stage::Done;
                Some(keys())
            }
            (Side::Server, Stage::Answer) => {
                self.message(buf, self.sizes.server_hello, false);
                self.stage = Stage::Flight;
                Some(keys())
            }
            (Side::Server, Stage::Flight) => {
                self.message(buf, self.sizes.server_flight, true);
                self.stage = Stage::Finish;
                Some(keys())
            }
            _ => None,
        }
    }

    fn next_1rtt_keys(&mut self) -> Option<KeyPair<Box<dyn PacketKey>>> {
        Some(packet_keys())
    }

    fn is_valid_retry(&self, _: &ConnectionId, _: &[u8], _: &[u8]) -> bool {
        true
    }

    fn export_keying_material(
        &self,
        output: &mut [u8],
        _: &[u8],
        _: &[u8],
    ) -> Result<(), ExportKeyingMaterialError> {
        output.fill(0);
        Ok(())
    }
}

/// The tag of a packet. It covers the packet's number, as real ones do: of two numbers with the same
/// last bytes only the right one is accepted.
fn tag(number: u64) -> [u8; 16] {
    let mut tag = TAG;
    let last = tag.len() - 8;
    for (byte, of_number) in tag[last..].iter_mut().zip(number.to_be_bytes()) {
        *byte ^= of_number;
    }
    tag
}

/// A key that leaves everything as it is, but for the tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NullKey;

impl PacketKey for NullKey {
    fn encrypt(&self, number: u64, buf: &mut [u8], _: usize) {
        let at = buf.len() - TAG.len();
        buf[at..].copy_from_slice(&tag(number));
    }

    fn decrypt(&self, number: u64, _: &[u8], payload: &mut BytesMut) -> Result<(), CryptoError> {
        let at = payload.len().checked_sub(TAG.len()).ok_or(CryptoError)?;
        if payload[at..] != tag(number) {
            return Err(CryptoError);
        }
        payload.truncate(at);
        Ok(())
    }

    fn tag_len(&self) -> usize {
        TAG.len()
    }

    fn confidentiality_limit(&self) -> u64 {
        u64::MAX
    }

    fn integrity_limit(&self) -> u64 {
        u64::MAX
    }
}

impl HeaderKey for NullKey {
    fn decrypt(&self, _: usize, _: &mut [u8]) {}

    fn encrypt(&self, _: usize, _: &mut [u8]) {}

    fn sample_size(&self) -> usize {
        16
    }
}

/// FNV-1a in four lanes: reset tokens must differ, nothing more.
impl HmacKey for NullKey {
    fn sign(&self, data: &[u8], out: &mut [u8]) {
        for (lane, part) in out.chunks_mut(8).enumerate() {
            let start = 0xcbf2_9ce4_8422_2325 ^ lane as u64;
            let hash = crate::fnv(start, data);
            part.copy_from_slice(&hash.to_le_bytes()[..part.len()]);
        }
    }

    fn signature_len(&self) -> usize {
        32
    }

    fn verify(&self, data: &[u8], signature: &[u8]) -> Result<(), CryptoError> {
        let mut own = [0; 32];
        self.sign(data, &mut own);
        (own == signature).then_some(()).ok_or(CryptoError)
    }
}

impl HandshakeTokenKey for NullKey {
    fn aead_from_hkdf(&self, _: &[u8]) -> Box<dyn AeadKey> {
        Box::new(NullKey)
    }
}

impl AeadKey for NullKey {
    fn seal(&self, data: &mut Vec<u8>, _: &[u8]) -> Result<(), CryptoError> {
        data.extend_from_slice(&TAG);
        Ok(())
    }

    fn open<'a>(&self, data: &'a mut [u8], _: &[u8]) -> Result<&'a mut [u8], CryptoError> {
        let at = data.len().checked_sub(TAG.len()).ok_or(CryptoError)?;
        Ok(&mut data[..at])
    }
}
