//! The one list of routes.

use super::method_not_allowed;
use crate::http::Problem;
use std::sync::OnceLock;
use worker::Method;

/// What can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Endpoint {
    Home,
    Licenses,
    Invite,
    Health,
    Rulesets,
    Board,
    CreateGuest,
    CreateAccount,
    SignIn,
    SignOut,
    SignOutEverywhere,
    Me,
    ChangeMe,
    DeleteMe,
    ChangePassword,
    Export,
    Blocks,
    Block,
    Unblock,
    Player,
    PlayerGames,
    Leaderboard,
    MyTables,
    CreateSocketTicket,
    MySocket,
    LobbySocket,
    CreateSeek,
    CurrentSeek,
    CancelSeek,
    ListChallenges,
    CreateChallenge,
    AcceptChallenge,
    DeclineChallenge,
    WithdrawChallenge,
    ListTables,
    CreateTable,
    Table,
    CloseTable,
    Join,
    Command,
    Events,
    Sgf,
    Preview,
    Socket,
    Appeals,
    Appeal,
    Report,
    OperatorReports,
    CloseReport,
    OperatorAppeals,
    DecideAppeal,
    CorrectResult,
    Suspend,
    RemoveChat,
    OperatorLog,
}

/// Path, and for each of its methods the endpoint. A path has one parameter at most.
const ROUTES: &[(&str, &[(Method, Endpoint)])] = &[
    ("/", &[(Method::Get, Endpoint::Home)]),
    ("/licenses", &[(Method::Get, Endpoint::Licenses)]),
    ("/i/{code}", &[(Method::Get, Endpoint::Invite)]),
    ("/healthz", &[(Method::Get, Endpoint::Health)]),
    ("/api/v1/rulesets", &[(Method::Get, Endpoint::Rulesets)]),
    ("/api/v1/boards/{board}", &[(Method::Get, Endpoint::Board)]),
    ("/api/v1/guests", &[(Method::Post, Endpoint::CreateGuest)]),
    ("/api/v1/accounts", &[(Method::Post, Endpoint::CreateAccount)]),
    (
        "/api/v1/sessions",
        &[
            (Method::Post, Endpoint::SignIn),
            (Method::Delete, Endpoint::SignOutEverywhere),
        ],
    ),
    ("/api/v1/sessions/current", &[(Method::Delete, Endpoint::SignOut)]),
    (
        "/api/v1/me",
        &[
            (Method::Get, Endpoint::Me),
            (Method::Patch, Endpoint::ChangeMe),
            (Method::Delete, Endpoint::DeleteMe),
        ],
    ),
    ("/api/v1/me/password", &[(Method::Put, Endpoint::ChangePassword)]),
    ("/api/v1/me/export", &[(Method::Get, Endpoint::Export)]),
    ("/api/v1/me/blocks", &[(Method::Get, Endpoint::Blocks)]),
    (
        "/api/v1/me/blocks/{id}",
        &[
            (Method::Put, Endpoint::Block),
            (Method::Delete, Endpoint::Unblock),
        ],
    ),
    ("/api/v1/players/{id}", &[(Method::Get, Endpoint::Player)]),
    (
        "/api/v1/players/{id}/games",
        &[(Method::Get, Endpoint::PlayerGames)],
    ),
    (
        "/api/v1/leaderboards/{ruleset}",
        &[(Method::Get, Endpoint::Leaderboard)],
    ),
    ("/api/v1/me/tables", &[(Method::Get, Endpoint::MyTables)]),
    (
        "/api/v1/socket-tickets",
        &[(Method::Post, Endpoint::CreateSocketTicket)],
    ),
    ("/api/v1/me/socket", &[(Method::Get, Endpoint::MySocket)]),
    ("/api/v1/lobby/socket", &[(Method::Get, Endpoint::LobbySocket)]),
    ("/api/v1/seeks", &[(Method::Post, Endpoint::CreateSeek)]),
    (
        "/api/v1/seeks/current",
        &[
            (Method::Get, Endpoint::CurrentSeek),
            (Method::Delete, Endpoint::CancelSeek),
        ],
    ),
    (
        "/api/v1/challenges",
        &[
            (Method::Get, Endpoint::ListChallenges),
            (Method::Post, Endpoint::CreateChallenge),
        ],
    ),
    (
        "/api/v1/challenges/{id}",
        &[(Method::Delete, Endpoint::WithdrawChallenge)],
    ),
    (
        "/api/v1/challenges/{id}/accept",
        &[(Method::Post, Endpoint::AcceptChallenge)],
    ),
    (
        "/api/v1/challenges/{id}/decline",
        &[(Method::Post, Endpoint::DeclineChallenge)],
    ),
    (
        "/api/v1/tables",
        &[
            (Method::Get, Endpoint::ListTables),
            (Method::Post, Endpoint::CreateTable),
        ],
    ),
    (
        "/api/v1/tables/{id}",
        &[
            (Method::Get, Endpoint::Table),
            (Method::Delete, Endpoint::CloseTable),
        ],
    ),
    ("/api/v1/tables/{id}/join", &[(Method::Post, Endpoint::Join)]),
    (
        "/api/v1/tables/{id}/commands",
        &[(Method::Post, Endpoint::Command)],
    ),
    ("/api/v1/tables/{id}/events", &[(Method::Get, Endpoint::Events)]),
    ("/api/v1/tables/{id}/sgf", &[(Method::Get, Endpoint::Sgf)]),
    ("/api/v1/tables/{id}/preview", &[(Method::Get, Endpoint::Preview)]),
    ("/api/v1/tables/{id}/socket", &[(Method::Get, Endpoint::Socket)]),
    (
        "/api/v1/tables/{id}/appeals",
        &[(Method::Get, Endpoint::Appeals), (Method::Post, Endpoint::Appeal)],
    ),
    ("/api/v1/reports", &[(Method::Post, Endpoint::Report)]),
    (
        "/api/v1/operator/reports",
        &[(Method::Get, Endpoint::OperatorReports)],
    ),
    (
        "/api/v1/operator/reports/{id}/close",
        &[(Method::Post, Endpoint::CloseReport)],
    ),
    (
        "/api/v1/operator/appeals",
        &[(Method::Get, Endpoint::OperatorAppeals)],
    ),
    (
        "/api/v1/operator/appeals/{id}/decide",
        &[(Method::Post, Endpoint::DecideAppeal)],
    ),
    (
        "/api/v1/operator/tables/{id}/correct",
        &[(Method::Post, Endpoint::CorrectResult)],
    ),
    (
        "/api/v1/operator/tables/{id}/remove_chat",
        &[(Method::Post, Endpoint::RemoveChat)],
    ),
    (
        "/api/v1/operator/players/{id}/suspend",
        &[(Method::Post, Endpoint::Suspend)],
    ),
    ("/api/v1/operator/log", &[(Method::Get, Endpoint::OperatorLog)]),
];

/// An endpoint with the parameter in its path as it stands there; empty for a path without one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Routed {
    pub(super) endpoint: Endpoint,
    pub(super) parameter: String,
}

impl Routed {
    /// The endpoint's name, for the log.
    pub(super) fn name(&self) -> &'static str {
        match self.endpoint {
            Endpoint::Home => "home",
            Endpoint::Licenses => "licenses",
            Endpoint::Invite => "invite",
            Endpoint::Health => "health",
            Endpoint::Rulesets => "rulesets",
            Endpoint::Board => "board",
            Endpoint::CreateGuest => "create_guest",
            Endpoint::CreateAccount => "create_account",
            Endpoint::SignIn => "sign_in",
            Endpoint::SignOut => "sign_out",
            Endpoint::SignOutEverywhere => "sign_out_everywhere",
            Endpoint::Me => "me",
            Endpoint::ChangeMe => "change_me",
            Endpoint::DeleteMe => "delete_me",
            Endpoint::ChangePassword => "change_password",
            Endpoint::Export => "export",
            Endpoint::Blocks => "blocks",
            Endpoint::Block => "block",
            Endpoint::Unblock => "unblock",
            Endpoint::Player => "player",
            Endpoint::PlayerGames => "player_games",
            Endpoint::Leaderboard => "leaderboard",
            Endpoint::MyTables => "my_tables",
            Endpoint::CreateSocketTicket => "create_socket_ticket",
            Endpoint::MySocket => "my_socket",
            Endpoint::LobbySocket => "lobby_socket",
            Endpoint::CreateSeek => "create_seek",
            Endpoint::CurrentSeek => "current_seek",
            Endpoint::CancelSeek => "cancel_seek",
            Endpoint::ListChallenges => "list_challenges",
            Endpoint::CreateChallenge => "create_challenge",
            Endpoint::AcceptChallenge => "accept_challenge",
            Endpoint::DeclineChallenge => "decline_challenge",
            Endpoint::WithdrawChallenge => "withdraw_challenge",
            Endpoint::ListTables => "list_tables",
            Endpoint::CreateTable => "create_table",
            Endpoint::Table => "table",
            Endpoint::CloseTable => "close_table",
            Endpoint::Join => "join",
            Endpoint::Command => "command",
            Endpoint::Events => "events",
            Endpoint::Sgf => "sgf",
            Endpoint::Preview => "preview",
            Endpoint::Socket => "socket",
            Endpoint::Appeals => "appeals",
            Endpoint::Appeal => "appeal",
            Endpoint::Report => "report",
            Endpoint::OperatorReports => "operator_reports",
            Endpoint::CloseReport => "close_report",
            Endpoint::OperatorAppeals => "operator_appeals",
            Endpoint::DecideAppeal => "decide_appeal",
            Endpoint::CorrectResult => "correct_result",
            Endpoint::Suspend => "suspend",
            Endpoint::RemoveChat => "remove_chat",
            Endpoint::OperatorLog => "operator_log",
        }
    }
}

impl Endpoint {
    /// Whether it opens a socket.
    pub(super) fn is_socket(self) -> bool {
        matches!(
            self,
            Endpoint::Socket | Endpoint::MySocket | Endpoint::LobbySocket
        )
    }

    /// The query parameters that it knows; any other is an error, since it is usually a misspelt one. Pages take any, as
    /// links to them come from everywhere.
    pub(super) fn queries(self) -> Option<&'static [&'static str]> {
        match self {
            Endpoint::Home | Endpoint::Licenses | Endpoint::Invite => None,
            Endpoint::Health
            | Endpoint::Rulesets
            | Endpoint::Board
            | Endpoint::CreateGuest
            | Endpoint::CreateAccount
            | Endpoint::SignIn
            | Endpoint::SignOut
            | Endpoint::SignOutEverywhere
            | Endpoint::Me
            | Endpoint::ChangeMe
            | Endpoint::DeleteMe
            | Endpoint::ChangePassword
            | Endpoint::Block
            | Endpoint::Unblock
            | Endpoint::Player
            | Endpoint::CreateSocketTicket
            | Endpoint::Report
            | Endpoint::CloseReport
            | Endpoint::DecideAppeal
            | Endpoint::CorrectResult
            | Endpoint::Suspend
            | Endpoint::RemoveChat
            | Endpoint::CreateTable => Some(&[]),
            Endpoint::Export => Some(&["format"]),
            Endpoint::Blocks | Endpoint::PlayerGames | Endpoint::Leaderboard => Some(&["limit", "cursor"]),
            Endpoint::CreateSeek
            | Endpoint::CurrentSeek
            | Endpoint::CancelSeek
            | Endpoint::ListChallenges
            | Endpoint::CreateChallenge
            | Endpoint::AcceptChallenge
            | Endpoint::DeclineChallenge
            | Endpoint::WithdrawChallenge => Some(&[]),
            Endpoint::MySocket => Some(&["ticket"]),
            Endpoint::LobbySocket => Some(&["ruleset", "ticket"]),
            Endpoint::OperatorReports | Endpoint::OperatorAppeals => Some(&["state", "limit", "cursor"]),
            Endpoint::OperatorLog => Some(&["limit", "cursor"]),
            Endpoint::MyTables => Some(&["state", "limit", "cursor"]),
            Endpoint::ListTables => {
                Some(&["state", "ruleset", "board", "ranked", "player", "limit", "cursor"])
            }
            Endpoint::Table
            | Endpoint::CloseTable
            | Endpoint::Join
            | Endpoint::Command
            | Endpoint::Sgf
            | Endpoint::Appeals
            | Endpoint::Appeal
            | Endpoint::Preview => Some(&["invite"]),
            Endpoint::Events => Some(&["invite", "since"]),
            Endpoint::Socket => Some(&["invite", "since", "ticket"]),
        }
    }
}

/// The endpoint for a method and a path.
///
/// # Errors
/// `not_found`, or `method_not_allowed` where the path knows other methods.
pub(super) fn route(method: &str, path: &str) -> Result<Routed, Problem> {
    let found = router().at(path).map_err(|_| Problem::not_found())?;
    let parameter = found
        .params
        .iter()
        .next()
        .map_or("", |(_, value)| value)
        .to_owned();
    // HEAD is GET without a body, and the runtime leaves the body out.
    let wanted = match method {
        "HEAD" => "GET",
        other => other,
    };
    let endpoint = found.value.iter().find(|(method, _)| method.as_ref() == wanted);
    match endpoint {
        Some((_, endpoint)) => Ok(Routed {
            endpoint: *endpoint,
            parameter,
        }),
        None => {
            let methods: Vec<&str> = found.value.iter().map(|(method, _)| method.as_ref()).collect();
            Err(method_not_allowed(&methods.join(", ")))
        }
    }
}

fn router() -> &'static matchit::Router<&'static [(Method, Endpoint)]> {
    static ROUTER: OnceLock<matchit::Router<&'static [(Method, Endpoint)]>> = OnceLock::new();
    ROUTER.get_or_init(|| {
        let mut router = matchit::Router::new();
        for (path, endpoints) in ROUTES {
            // A path that clashed with another would be missing; the test of the list would find it.
            let _ = router.insert(*path, *endpoints);
        }
        router
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Code;

    fn code(method: &str, path: &str) -> Option<Code> {
        route(method, path).err().map(|problem| problem.code())
    }

    #[test]
    fn every_route_of_the_list_is_found_by_its_path() {
        for (path, endpoints) in ROUTES {
            for (method, endpoint) in *endpoints {
                let routed = route(method.as_ref(), path).expect("found");
                assert_eq!(routed.endpoint, *endpoint, "{path}");
            }
        }
    }

    #[test]
    fn a_parameter_is_taken_from_the_path() {
        let routed = route("GET", "/api/v1/boards/hex6").expect("found");
        assert_eq!(
            routed,
            Routed {
                endpoint: Endpoint::Board,
                parameter: "hex6".to_owned()
            }
        );
    }

    #[test]
    fn other_paths_and_methods_are_told_apart() {
        assert_eq!(code("GET", "/api/v1/nothing"), Some(Code::NotFound));
        assert_eq!(code("GET", "/api/v1/tables/"), Some(Code::NotFound));
        assert_eq!(code("GET", "/api/v1/tables/a/b/c"), Some(Code::NotFound));
        assert_eq!(code("PUT", "/api/v1/tables"), Some(Code::MethodNotAllowed));
        assert_eq!(code("GET", "/api/v1/guests"), Some(Code::MethodNotAllowed));
        assert_eq!(code("HEAD", "/healthz"), None);
        // What no library knows is not GET, nor is what is written otherwise.
        for method in ["PROPFIND", "MKCOL", "get", ""] {
            assert_eq!(
                code(method, "/api/v1/tables"),
                Some(Code::MethodNotAllowed),
                "{method}"
            );
        }
    }
}
