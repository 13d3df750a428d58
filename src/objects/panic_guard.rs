//! A panic inside an object must not leave its caller waiting.
//!
//! This build aborts on panic, and the runtime then neither answers the object's caller nor resets the object: the
//! caller would hang. So a panic is turned into the platform's own way out, `ctx.abort()`: the object's uncommitted
//! writes are rolled back, its sockets close so that clients reconnect, its callers get an error at once, and its
//! alarm is tried again. All objects of an isolate share one WebAssembly instance, and a panic ends it, so every
//! object is also made anew; that is harmless, since an object's memory is only a cache of its events.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use worker::State;
use worker::js_sys::{Function, Reflect};
use worker::wasm_bindgen::{JsCast, JsValue};

thread_local! {
    /// The context of the object whose handler is running right now. There is one thread.
    static RUNNING: RefCell<Option<JsValue>> = const { RefCell::new(None) };
}

/// A handler of an object, during which a panic aborts the object.
pub(super) struct AbortOnPanic<F> {
    context: JsValue,
    handler: Pin<Box<F>>,
}

impl<F: Future> AbortOnPanic<F> {
    pub(super) fn new(state: &State, handler: F) -> AbortOnPanic<F> {
        let context: &JsValue = state.as_raw().as_ref();
        AbortOnPanic {
            context: context.clone(),
            handler: Box::pin(handler),
        }
    }
}

impl<F: Future> Future for AbortOnPanic<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        RUNNING.with(|running| running.replace(Some(self.context.clone())));
        let polled = self.handler.as_mut().poll(context);
        RUNNING.with(|running| running.replace(None));
        polled
    }
}

/// Sets the hook that logs a panic and aborts the object in which it happened. To be called once an instance.
pub fn install() {
    std::panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        mark_instance_dead();
        if let Some(context) = RUNNING.with(|running| running.replace(None)) {
            abort(&context, &info.to_string());
        }
    }));
}

/// Tells the runtime glue to make a new instance at the next event. Its own hook would do so, but does not come to run
/// after an abort; without the mark the isolate stays dead for every later request.
fn mark_instance_dead() {
    let state = Reflect::get(
        &worker::js_sys::global(),
        &JsValue::from_str("__worker_init_state"),
    );
    if let Ok(state) = state {
        let marked = Reflect::set(&state, &JsValue::from_str("criticalError"), &JsValue::TRUE);
        if marked.is_err() {
            worker::console_error!("the instance could not be marked as dead");
        }
    }
}

fn abort(context: &JsValue, reason: &str) {
    let abort = Reflect::get(context, &JsValue::from_str("abort"));
    if let Some(abort) = abort.ok().and_then(|abort| abort.dyn_into::<Function>().ok()) {
        // It throws once it has aborted; there is nothing left to do about that here.
        let _ = abort.call1(context, &JsValue::from_str(reason));
    }
}
