//! How an object is reached, and what becomes of a call when it does not answer.

use crate::http::Problem;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::time::Duration;
use worker::wasm_bindgen::JsValue;
use worker::{Delay, Env, Method, Request, RequestInit, Response, Stub, Url};

/// How long an object may take to answer, unless the variable `OBJECT_TIMEOUT_MS` says otherwise.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a question may take whose asker is waited for himself: shorter than any limit on him.
const PROMPTLY: Duration = Duration::from_millis(1000);

/// Where a socket's call travels.
const CALL_HEADER: &str = "x-hoshi-call";

/// Which object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address<'a> {
    /// The name of the binding in `wrangler.toml`.
    pub(super) binding: &'static str,
    /// The object's own name.
    pub(super) name: &'a str,
}

/// As what a call is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sent {
    /// In a body.
    Plain,
    /// As the upgrade to a socket, which has no body.
    Upgrade,
}

/// Calls an object and brings its answer. When the object fails or does not answer in time, that is
/// [`Problem::unavailable`]: what it had stored stands, and sending again is harmless.
///
/// # Errors
/// That one.
pub(super) async fn call(
    env: &Env,
    address: Address<'_>,
    call: &impl Serialize,
    sent: Sent,
) -> Result<Response, Problem> {
    call_within(env, address, (call, sent), timeout(env)).await
}

/// The same, with a limit of one's own.
///
/// # Errors
/// As [`call`].
pub(super) async fn call_within(
    env: &Env,
    address: Address<'_>,
    (call, sent): (&impl Serialize, Sent),
    limit: Duration,
) -> Result<Response, Problem> {
    let away = |error: &dyn std::fmt::Display| away(address, error);
    let stub = stub(env, address).map_err(|error| away(&error))?;
    let request = request(call, sent).map_err(|error| away(&error))?;
    let answer = std::pin::pin!(stub.fetch_with_request(request));
    let limit = std::pin::pin!(Delay::from(limit));
    match futures_util::future::select(answer, limit).await {
        futures_util::future::Either::Left((Ok(response), _)) => Ok(response),
        futures_util::future::Either::Left((Err(error), _)) => Err(away(&error)),
        futures_util::future::Either::Right(((), _)) => Err(away(&"no answer in time")),
    }
}

/// The answer to a question that is better left open than waited for: somebody waits for the asker, too.
///
/// # Errors
/// `unavailable` when it does not come soon.
pub(super) async fn promptly<T>(question: impl Future<Output = Result<T, Problem>>) -> Result<T, Problem> {
    within(PROMPTLY, question).await
}

/// The same, with a limit of one's own.
///
/// # Errors
/// `unavailable` when it does not come by then.
pub(super) async fn within<T>(
    limit: Duration,
    question: impl Future<Output = Result<T, Problem>>,
) -> Result<T, Problem> {
    let (question, limit) = (std::pin::pin!(question), std::pin::pin!(Delay::from(limit)));
    match futures_util::future::select(question, limit).await {
        futures_util::future::Either::Left((answer, _)) => answer,
        futures_util::future::Either::Right(((), _)) => Err(Problem::unavailable()),
    }
}

fn stub(env: &Env, address: Address<'_>) -> worker::Result<Stub> {
    env.durable_object(address.binding)?.get_by_name(address.name)
}

fn timeout(env: &Env) -> Duration {
    let configured = env.var("OBJECT_TIMEOUT_MS").ok();
    let configured = configured.and_then(|value| value.to_string().parse().ok());
    configured.map_or(DEFAULT_TIMEOUT, Duration::from_millis)
}

fn away(address: Address<'_>, error: &dyn std::fmt::Display) -> Problem {
    let fields = [
        ("object.kind", json!(address.binding)),
        ("object.name", json!(address.name)),
        crate::log::cause(error),
    ];
    crate::log::error("object.away", &fields);
    Problem::unavailable()
}

/// A call travels as the request's body; a socket's call, which is an upgrade and has none, in a header, encoded as in an
/// address. It is not in the address itself, which the platform may log.
fn request(call: &impl Serialize, sent: Sent) -> worker::Result<Request> {
    let json = serde_json::to_string(call)?;
    let mut init = RequestInit::new();
    if sent == Sent::Plain {
        init.with_method(Method::Post)
            .with_body(Some(JsValue::from_str(&json)));
        return Request::new_with_init("http://object/", &init);
    }
    let encoded = Url::parse_with_params("http://object/", [("call", json)])?;
    init.headers
        .set(CALL_HEADER, encoded.query().unwrap_or_default())?;
    init.headers.set("upgrade", "websocket")?;
    Request::new_with_init("http://object/", &init)
}

/// Reads what [`request`] has written.
pub(super) async fn read_call<T: DeserializeOwned>(request: &mut Request) -> worker::Result<T> {
    if request.method() == Method::Post {
        return Ok(serde_json::from_str(&request.text().await?)?);
    }
    let query = request.headers().get(CALL_HEADER)?.unwrap_or_default();
    let encoded = Url::parse(&format!("http://object/?{query}"))?;
    let call = encoded.query_pairs().find(|(name, _)| name == "call");
    let (_, json) = call.ok_or_else(|| worker::Error::from("a call without its message"))?;
    Ok(serde_json::from_str(&json)?)
}
