//! The computer's seat: the table asks its thinker, and takes what it says as commands of the computer's.

use super::now;
use super::shell::Shell;
use crate::clock::Timestamp;
use crate::game::{Command, CommandMessage, ComputerTask, GameSoFar, Input, Player, TaskKind};
use crate::http::Problem;
use crate::objects::thinker::{self, Question, Reply, Wanted};
use crate::random;
use crate::rules::Color;
use crate::ruleset::RequestKind;
use std::rc::Rc;
use std::time::Duration;
use worker::Delay;

/// When the computer is asked again after neither its answer nor its failure could be stored.
const AFTER_A_FAILURE: Duration = Duration::from_secs(1);

impl Shell {
    /// Asks the computer for what the table waits for, if it is time and it is not being asked already. Nobody is kept
    /// waiting: its answer is an input of its own. If the object ends before that, whatever wakes it asks again.
    pub(super) fn ask_computer(self: &Rc<Shell>) {
        let Some(task) = self.computers_turn(now()) else {
            return;
        };
        self.asked.set(Some(task));
        let shell = Rc::clone(self);
        self.later(async move { shell.answer_for_computer(task).await });
    }

    fn computers_turn(&self, now: Timestamp) -> Option<ComputerTask> {
        let task = self.with_table(|table| table.computer_task()).ok()??;
        let asked = self.asked.get().is_some_and(|asked| asked.is_same_try(&task));
        (task.since <= now && !asked).then_some(task)
    }

    async fn answer_for_computer(self: &Rc<Shell>, task: ComputerTask) {
        let command = self.computers_command(task).await;
        let input = match command {
            Ok(Some(command)) => self.command_of(task, command),
            // Nothing to say, until something changes.
            Ok(None) => return,
            Err(problem) => Err(problem),
        };
        let taken = match input {
            Ok(input) => self.take(input, None, now()).await,
            Err(problem) => Err(problem),
        };
        let taken = match taken {
            Ok(taken) => Ok(taken),
            // A stale answer is nobody's fault, and then the table waits for something else; but if it still waits for
            // the same, the computer has failed at it.
            Err(_) => self.take(Input::ComputerFailed { task }, None, now()).await,
        };
        // Unless it has been asked something newer meanwhile.
        if self.asked.get().is_some_and(|asked| asked.is_same_try(&task)) {
            self.asked.set(None);
        }
        match taken {
            Ok(taken) => self.follow_up(&taken),
            Err(problem) if problem.code().status() >= 500 => Delay::from(AFTER_A_FAILURE).await,
            Err(_) => {}
        }
        self.ask_computer();
    }

    /// What the computer says to what it is asked.
    async fn computers_command(&self, task: ComputerTask) -> Result<Option<Command>, Problem> {
        let wanted = match task.kind {
            TaskKind::Mark { .. } => {
                let judged = self.judge().await?;
                return self.with_table(|table| table.computer_marks(&judged.verdict));
            }
            TaskKind::Move | TaskKind::AnswerScore => Wanted::Move {
                level: task.level,
                seed: random::number()?,
            },
        };
        let reply = self.think(wanted, Some(task.color)).await?;
        let turn = task.turn;
        let command = match (task.kind, reply) {
            (_, Reply::Verdict { .. }) => return Err(self.failed("thinker.odd_reply", &"a verdict")),
            (_, Reply::Overtaken) => return Ok(None),
            // Whoever would give up has nothing against a count either.
            (TaskKind::AnswerScore, reply) => Command::Answer {
                kind: RequestKind::Score,
                accept: matches!(reply, Reply::Pass | Reply::Resign),
                turn: Some(turn),
            },
            (_, Reply::Play { point }) => Command::Play { point, turn },
            (_, Reply::Pass) => Command::Pass { turn },
            (_, Reply::Resign) => Command::Resign {},
        };
        Ok(Some(command))
    }

    fn command_of(&self, task: ComputerTask, command: Command) -> Result<Input, Problem> {
        Ok(Input::Command {
            by: Player::computer(task.level).id,
            message: CommandMessage {
                command,
                seen: Some(task.seen),
                id: None,
            },
            spare: random::spare()?,
        })
    }

    /// Has the thinker answer something about the game as it stands; as if this color were to move, if one is given.
    pub(super) async fn think(&self, wanted: Wanted, to_move: Option<Color>) -> Result<Reply, Problem> {
        let (table, game) = self.with_table(|table| (table.id().clone(), table.so_far()))?;
        let game = GameSoFar {
            to_move: to_move.unwrap_or(game.to_move),
            ..game
        };
        let question = Question {
            game,
            wanted,
            fault: self.thinkers_fault.take(),
        };
        let reply = thinker::ask(&self.env, &table, &question).await;
        reply.map_err(|error| self.failed("thinker.failed", &error))
    }
}
