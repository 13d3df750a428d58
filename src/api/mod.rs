//! The interface over HTTP: who asks, what for, and the answer. One file a resource.

mod accounts;
mod appeals;
mod body;
mod challenges;
mod claims;
mod context;
mod export;
mod identity;
mod invites;
mod limits;
mod me;
mod operator;
mod origin;
mod pages;
mod players;
mod reference;
mod reports;
mod router;
mod seats;
mod seeks;
mod service;
mod sessions;
mod tables;
mod tables_list;
mod upkeep;

pub use upkeep::run as run_upkeep;

use crate::http::{Code, Problem};
use context::Asked;
use router::{Endpoint, Routed};
use serde_json::json;
use worker::{Context, Env, Method, Request, Response};

/// What an endpoint leads to.
type Answer = Result<Response, Problem>;

/// Answers a request. Every failure becomes a problem; none gets out of here.
///
/// # Errors
/// When the runtime refuses even the response that tells of a problem.
pub async fn handle(request: Request, env: Env, _context: Context) -> worker::Result<Response> {
    let started = worker::Date::now().as_millis();
    // The method as it was sent: what the library does not know it takes for GET.
    let method = request.inner().method();
    let routed = router::route(&method, &request.path());
    let endpoint = routed.as_ref().map_or("none", |routed| routed.name());
    let answered = match Asked::new(request, env) {
        Ok(asked) => answer(asked, routed).await,
        Err(problem) => problem.into_response(),
    };
    let took = worker::Date::now().as_millis().saturating_sub(started);
    let fields = [
        ("method", json!(method)),
        ("endpoint", json!(endpoint)),
        (
            "status",
            json!(answered.as_ref().map_or(500, Response::status_code)),
        ),
        ("duration_ms", json!(took)),
    ];
    crate::log::info("request", &fields);
    answered
}

async fn answer(asked: Asked, routed: Result<Routed, Problem>) -> worker::Result<Response> {
    let cors = asked.origin.cors_headers();
    let answer = match routed {
        _ if asked.method == Method::Options => origin::preflight(),
        Ok(routed) => dispatch(asked, routed).await,
        Err(problem) => Err(problem),
    };
    let mut response = match answer {
        Ok(response) => response,
        Err(problem) => problem.into_response()?,
    };
    if response.status_code() == 101 {
        return Ok(response);
    }
    origin::add_headers(&mut response, cors)?;
    Ok(response)
}

async fn dispatch(mut asked: Asked, routed: Routed) -> Answer {
    asked.check_origin(&routed)?;
    asked.make_fault();
    let Routed { endpoint, parameter } = routed;
    if let Some(known) = endpoint.queries() {
        asked.allow_queries(known)?;
    }
    match endpoint {
        Endpoint::Home => pages::home(&asked),
        Endpoint::Licenses => pages::licenses(),
        Endpoint::Invite => invites::invite(&asked, parameter).await,
        Endpoint::Health => service::health(&asked).await,
        Endpoint::Rulesets => reference::rulesets(),
        Endpoint::Board => reference::board(&parameter),
        Endpoint::CreateGuest => accounts::create_guest(&mut asked).await,
        Endpoint::CreateAccount => accounts::create_account(&mut asked).await,
        Endpoint::SignIn => sessions::sign_in(&mut asked).await,
        Endpoint::SignOut => sessions::sign_out(&asked).await,
        Endpoint::SignOutEverywhere => sessions::sign_out_everywhere(&asked).await,
        Endpoint::Me => me::me(&asked).await,
        Endpoint::ChangeMe => me::change(&mut asked).await,
        Endpoint::DeleteMe => accounts::delete(&mut asked).await,
        Endpoint::ChangePassword => accounts::change_password(&mut asked).await,
        Endpoint::Export => export::export(&asked).await,
        Endpoint::Blocks => me::blocks(&asked).await,
        Endpoint::Block => me::block(&asked, &parameter).await,
        Endpoint::Unblock => me::unblock(&asked, &parameter).await,
        Endpoint::Player => players::player(&asked, &parameter).await,
        Endpoint::PlayerGames => players::games(&asked, &parameter).await,
        Endpoint::Leaderboard => players::leaderboard(&asked, &parameter).await,
        Endpoint::MyTables => tables_list::mine(&asked).await,
        Endpoint::CreateSocketTicket => sessions::create_socket_ticket(&asked).await,
        Endpoint::MySocket => seeks::my_socket(&asked).await,
        Endpoint::LobbySocket => seeks::lobby_socket(&asked).await,
        Endpoint::CreateSeek => seeks::seek(&mut asked).await,
        Endpoint::CurrentSeek => seeks::current(&asked).await,
        Endpoint::CancelSeek => seeks::cancel(&asked).await,
        Endpoint::ListChallenges => challenges::list(&asked).await,
        Endpoint::CreateChallenge => challenges::create(&mut asked).await,
        Endpoint::AcceptChallenge => challenges::accept(&asked, &parameter).await,
        Endpoint::DeclineChallenge => challenges::decline(&asked, &parameter).await,
        Endpoint::WithdrawChallenge => challenges::withdraw(&asked, &parameter).await,
        Endpoint::ListTables => tables_list::all(&asked).await,
        Endpoint::CreateTable => tables::create(&mut asked).await,
        Endpoint::Table => tables::snapshot(&asked, &parameter).await,
        Endpoint::CloseTable => tables::close(&asked, &parameter).await,
        Endpoint::Join => tables::join(&mut asked, &parameter).await,
        Endpoint::Command => tables::command(&mut asked, &parameter).await,
        Endpoint::Events => tables::events(&asked, &parameter).await,
        Endpoint::Sgf => tables::sgf(&asked, &parameter).await,
        Endpoint::Preview => tables::preview(&asked, &parameter).await,
        Endpoint::Socket => tables::socket(&asked, &parameter).await,
        Endpoint::Appeals => appeals::list(&asked, &parameter).await,
        Endpoint::Appeal => appeals::appeal(&mut asked, &parameter).await,
        Endpoint::Report => reports::report(&mut asked).await,
        Endpoint::OperatorReports => operator::reports(&asked).await,
        Endpoint::CloseReport => operator::close_report(&mut asked, &parameter).await,
        Endpoint::OperatorAppeals => operator::appeals(&asked).await,
        Endpoint::DecideAppeal => operator::decide(&mut asked, &parameter).await,
        Endpoint::CorrectResult => operator::correct(&mut asked, &parameter).await,
        Endpoint::Suspend => operator::suspend(&mut asked, &parameter).await,
        Endpoint::RemoveChat => operator::remove_chat(&mut asked, &parameter).await,
        Endpoint::OperatorLog => operator::log(&asked).await,
    }
}

/// The problem of an address that wants another method.
fn method_not_allowed(allowed: &str) -> Problem {
    Problem::new(Code::MethodNotAllowed, format!("this address takes {allowed}"))
        .with_header("allow", allowed)
}
