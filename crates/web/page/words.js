// What the page says, in English and Japanese.

const EN = {
  skip: 'To the board', play: 'Play', inside: 'Look inside', study: 'Study', newGame: 'New game', pass: 'Pass', undo: 'Undo', score: 'Score', resign: 'Resign',
  counting: 'Counting', countingHelp: 'Click stones that are wrongly dead or alive, then accept.', black: 'Black', white: 'White', result: 'Result', accept: 'Accept', resume: 'Play on',
  said: 'What the engine says about its move', think: 'Think', thinking: 'Thinking …', playouts: 'Playouts', show: 'Show', candidates: 'Candidates', model: 'Move model', ownership: 'Ownership', criticality: 'Critical points', miai: 'Pairs of points', order: 'Order of moves',
  move: 'Move', winrate: 'Wins', prior: 'Model', points: 'Points', insideHelp: 'Point at a candidate to see the line expected; click a row to ask why. Critical points, pairs of points and the order of moves are counts of 10,000 random games, made while Harie thinks. They do not say what to play. An arc joins two points where owning one or both went together with winning; an arrow leads from one move to another where games with this order were won more often.',
  open: 'Open SGF', paste: 'Paste', save: 'Save', promote: 'Make main line', remove: 'Delete', fromHere: 'Play from here', comment: 'Comment', review: 'Review the game', stopReview: 'Stop the review', annotate: 'Write into comments', drop: 'Drop a game record',
  size: 'Board', other: 'other', you: 'You play', random: 'by lot', both: 'both colours', none: 'neither: Harie plays itself', level: 'Level', full: 'full strength', seconds: 'Seconds for a move', rules: 'Rules', chinese: 'Chinese', japanese: 'Japanese', korean: 'Korean', newZealand: 'New Zealand',
  handicap: 'Handicap', komi: 'Komi', clock: 'Clock', minutes: 'Minutes', periods: 'Periods', periodSeconds: 'Seconds each', begin: 'Begin', cancel: 'Cancel', pasteTitle: 'Paste a game record', load: 'Load',
  sound: 'Sound', theme: 'Light or dark', moves: 'Moves', first: 'To the start', back10: 'Ten back', back: 'Back', forth: 'On', forth10: 'Ten on', last: 'To the end', tools: 'What a click does', tree: 'Game tree',
  toolPlay: 'Play a move', toolBlack: 'Set up a black stone', toolWhite: 'Set up a white stone', toolEmpty: 'Take a stone off', toolTR: 'Triangle', toolSQ: 'Square', toolCR: 'Circle', toolMA: 'Cross', toolLB: 'Letter',
  keysHelp: 'Arrow keys move, Enter or Space plays. P passes, U takes back, A thinks, N begins a new game, comma and full stop or Page Up and Page Down go through the moves.',
  yourTurn: '{0} to play', engineThinks: 'Harie is thinking …', judging: 'Looking at dead stones …', over: 'The game is over: {0}', studying: '{0} to play', offline: 'No connection; trying again …', taken: '{0} taken', takenTitle: 'Stones taken', level_: 'Level', person: 'You',
  played: '{0} {1}', captured: '{0} taken off', empty: 'empty', whyTitle: 'Why {0}?', rank: 'number {0} for the move model, {1} %', illegal: 'The move model does not look at it: it is not allowed.', wins: '{0} {1} %, {2}', ahead: '{0} by {1}',
  byResign: '{0} wins by resignation', byTime: '{0} wins on time', byPoints: '{0} wins by {1}', draw: 'Draw', better: 'better: {0}', noMistakes: 'No large mistake was found.', reviewing: '{0} of {1} positions', reviewAgain: 'All {0} positions are judged. The largest losses are being checked again.', reviewed: 'All {0} positions were judged.', reviewStopped: 'Stopped: {0} of {1} positions were judged.', periodsLeft: '{0}×{1}', stones: '{0} stones', noHandicap: 'none', loaded: 'The record is loaded.', saved: 'The record is saved.', confirmResign: 'Give this game up?', confirmDelete: 'Delete this move and everything after it ({0} more)? It cannot be taken back.', confirmSetup: 'Setting up a stone ends the game that is being played here. Set it up?', ko: 'ko',
  lab: 'Lab', problems: 'Problems', boardRole: 'Go board', links: 'Links', groups: 'Groups', territory: 'Territory',
  group: 'Group', stoneCount: 'Stones', liberties: 'Liberties', eyes: 'Eyes', survives: 'Survives', alive: 'alive', unsettled: 'unsettled', dead: 'dead',
  land: 'Territory by playouts: Black {0}, White {1}; by lines: Black {2}, White {3}. Large squares are where both agree.',
  linksHelp: 'A line joins stones that count as connected; a red dotted one can be cut.',
  compare: 'Compare two models', left: 'Left', right: 'Right', modelTree: '{0}, for the tree, {1}×{1}', modelPlayouts: '{0}, for playouts, {1}×{1}',
  agreement: '{0} of the first ten moves are the same; they draw {1} % of their moves differently.', playedNext: 'Played was {0}: {1} on the left, {2} on the right.', rankShort: 'number {0}, {1}',
  compareHelp: 'Blue is what a model likes more than the other, brown what it likes less; a ring is the move that was played. Click a move to ask both why.',
  firstProblems: 'First problems', problemsHelp: 'Open or paste a file with problems, or drop it on the page: SGF with stones set up and the answers as variations, as many problems in a file as you like. Or begin with the first ones.',
  previous: 'Previous', again: 'Again', next: 'Next', wholeBoard: 'The whole board', problemTitle: '{0} of {1}: {2}', toPlayBlack: 'Black to play.', toPlayWhite: 'White to play.',
  goesOn: 'So far right. Go on.', solved: 'Right!', failed: 'Wrong.', unknown: 'This move is not in the file.', noAnswer: 'The file has no answer to this problem: try what you like.',
  problemScore: '{0} solved at once, {1} after another try, {2} left', markSolved: 'solved', markFailed: 'not yet', markLate: 'solved after another try', markOpen: 'open', problemName: 'Problem {0}',
  solve: 'Ask the solver', solving: 'Reading …', unsolved: 'The solver finds nothing here that lives or dies.', proved: 'Every other move fails.', provedAmongRead: 'Every other move that was read fails. Moves not known: {0}.', unknownMoves: 'Moves not known: {0}.',
  previousGame: 'Previous game', replaceTitle: 'Replace the game on the board?', replaceHelp: 'The button “Previous game” brings it back until another game is replaced.', replaceTooLarge: 'This game is too large to be kept by the browser: it does not come back. Save it first.', saveRefused: 'Save the refused game', keepGame: 'Keep it', replaceGame: 'Replace it', close: 'Close', overTitle: 'The game is over', studyGame: 'Study this game',
  unreadable: 'The record cannot be read: {0}', restored: 'The server had lost the game. This browser had kept it and brought it back.', notRestored: 'The game that this browser kept cannot be brought back: {0} The button “Save the refused game” on the tab “Play” saves its record.', damaged: 'The game that this browser kept is damaged and was left out.', tooLarge: 'This game is too large to be kept by the browser. Save it before the server ends.', notStored: 'The browser stores nothing more. The game is kept as long as this page is open: save it before you close it.',
  proof_works_kill: '{0} kills with {1}.', proof_works_live: '{0} lives with {1}.', proof_goodko: '{0} wins a ko with {1} unless the other side has a threat.', proof_ko: 'It becomes a ko after {1}; {0} needs threats.', proof_fails_kill: '{0} cannot kill.', proof_fails_live: '{0} cannot live.', proof_open: 'Not read to the end; {1} looks best.',
  end_works: 'works', end_goodko: 'good ko', end_ko: 'ko', end_fails: 'fails', end_open: 'not known',
  winRateOf: 'Win rate, {0} of {1} positions', labTitle: 'Laboratory', labHelp: 'What is in the folder that the server was started with; it is read again every few seconds, so that a match can be watched.', labNone: 'There is nothing in the folder yet. Matches (harie match --out), rating lists (harie rate --out), evaluations, reports, learning curves and models appear here.', labOff: 'This server has no laboratory: harie serve --lab FOLDER shows the results in a folder.', toBoard: 'To the board', choose: 'Choose a result.',
  kind_match: 'Match', kind_ratings: 'Ratings', kind_evaluation: 'Evaluation', kind_curve: 'Learning', kind_page: 'Page', kind_model: 'Model', updated: 'changed {0}',
  startEvaluation: 'Measure models', modelSecond: 'Beside', noModel: 'none', corpus: 'Games of', corpusFiles: '{0} ({1} files)', atMost: 'Games at most', noCorpus: 'There are no game records (.sgf, .gz, .zip) in the folder to measure on.', progress: 'Progress', comes: 'The result appears here when it is done.',
  work_playing: 'A match is being played: {0} of {1} games.', work_reading: 'Reading games: {0} so far.', work_measuring: '{2}: {0} of {1} games.', workFirst: 'Match1 so far {0} %.', workFailed: 'It failed: {0}', workStopped: 'Stopped; nothing was measured to its end.',
  startMatch: 'Start a match', firstPlayer: 'First', secondPlayer: 'Second', games: 'Games', stop: 'Stop', playerHarie: 'Harie, {0} playouts', playerLevel: 'Harie, {0}', playerKnowledge: 'Known shapes, {0}', playerGnuGo: 'GNU Go',
};

const JA = {
  skip: '盤へ移動', play: '対局', inside: '思考を見る', study: '検討', newGame: '新しい対局', pass: 'パス', undo: '待った', score: '整地', resign: '投了',
  counting: '整地中', countingHelp: '死活が違う石をクリックして直し、「承認」を押してください。', black: '黒', white: '白', result: '結果', accept: '承認', resume: '対局を続ける',
  said: 'この手についてエンジンの説明', think: '考える', thinking: '考え中…', playouts: 'プレイアウト', show: '表示', candidates: '候補手', model: '着手モデル', ownership: '地の見込み', criticality: '急所', miai: '点の組', order: '手順',
  move: '手', winrate: '勝率', prior: 'モデル', points: '目差', insideHelp: '候補手を指すと予想手順、行をクリックすると理由が出ます。急所・点の組・手順は、考えている間に行う1万回のランダム対局の集計で、打つべき手を示すものではありません。弧はどちらか一方でも得ると勝ちが多かった二点、矢印はその順に打つと逆の順より勝ちが多かった二手です。',
  open: 'SGFを開く', paste: '貼り付け', save: '保存', promote: '本譜にする', remove: '削除', fromHere: 'ここから打つ', comment: 'コメント', review: '棋譜を検討', stopReview: '検討を止める', annotate: 'コメントに書き込む', drop: '棋譜をここに落とす',
  size: '盤', other: 'その他', you: 'あなたの番', random: 'ニギリ', both: '両方', none: 'なし(ハリエ同士)', level: '強さ', full: '最強', seconds: '一手の秒数', rules: 'ルール', chinese: '中国', japanese: '日本', korean: '韓国', newZealand: 'ニュージーランド',
  handicap: '置石', komi: 'コミ', clock: '時計', minutes: '持ち時間(分)', periods: '秒読み回数', periodSeconds: '秒読み(秒)', begin: '開始', cancel: 'やめる', pasteTitle: '棋譜を貼り付け', load: '読み込む',
  sound: '音', theme: '明るさ', moves: '手を進める', first: '最初へ', back10: '10手戻る', back: '戻る', forth: '進む', forth10: '10手進む', last: '最後へ', tools: 'クリックの働き', tree: '棋譜の木',
  toolPlay: '着手', toolBlack: '黒石を置く', toolWhite: '白石を置く', toolEmpty: '石を取る', toolTR: '三角', toolSQ: '四角', toolCR: '丸', toolMA: 'バツ', toolLB: '文字',
  keysHelp: '矢印キーで移動、EnterかSpaceで着手。Pはパス、Uは待った、Aは思考、Nは新しい対局、コンマとピリオドまたはPage UpとPage Downで手を進めます。',
  yourTurn: '{0}の番です', engineThinks: 'ハリエが考えています…', judging: '死石を調べています…', over: '終局:{0}', studying: '{0}の番です', offline: '接続がありません。再接続しています…', taken: 'アゲハマ {0}', takenTitle: 'アゲハマ', level_: '強さ', person: 'あなた',
  played: '{0} {1}', captured: '{0}子取り', empty: '空点', whyTitle: 'なぜ {0}?', rank: '着手モデルで{0}番目、{1} %', illegal: '打てない手なので、着手モデルは見ません。', wins: '{0} {1} %、{2}', ahead: '{0} {1}目リード',
  byResign: '{0}中押し勝ち', byTime: '{0}時間勝ち', byPoints: '{0} {1}目勝ち', draw: '持碁', better: '正しくは {0}', noMistakes: '大きな悪手は見つかりませんでした。', reviewing: '{1}局面のうち{0}', reviewAgain: '全{0}局面を判定しました。損の大きい手をもう一度調べています。', reviewed: '全{0}局面を判定しました。', reviewStopped: '中止しました。{1}局面のうち{0}局面を判定しました。', periodsLeft: '{0}×{1}', stones: '{0}子', noHandicap: 'なし', loaded: '棋譜を読み込みました。', saved: '棋譜を保存しました。', confirmResign: '投了しますか?', confirmDelete: 'この手とその先の{0}手を消しますか?元には戻せません。', confirmSetup: '石を置くと対局は終わり、検討になります。置きますか?', ko: 'コウ',
  lab: '研究室', problems: '詰碁', boardRole: '碁盤', links: '連絡', groups: '石の群', territory: '地',
  group: '群', stoneCount: '石', liberties: 'ダメ', eyes: '眼', survives: '生存', alive: '生き', unsettled: '未定', dead: '死に',
  land: 'プレイアウトによる地: 黒{0}、白{1}。線による地: 黒{2}、白{3}。大きい四角は両方が一致する点です。',
  linksHelp: '線はつながっていると見なせる石を結びます。赤い点線は切られるおそれがあります。',
  compare: '二つのモデルを比べる', left: '左', right: '右', modelTree: '{0}、木用、{1}路', modelPlayouts: '{0}、プレイアウト用、{1}路',
  agreement: '上位10手のうち{0}手が同じ。着手の{1} %が異なります。', playedNext: '実戦は{0}: 左で{1}、右で{2}。', rankShort: '{0}番目、{1}',
  compareHelp: '青はもう一方のモデルより好む手、茶はより好まない手、輪は実戦の手です。手をクリックすると両方の理由が出ます。',
  firstProblems: '最初の問題', problemsHelp: '問題のファイルを開くか、貼り付けるか、ページに落としてください。石が置かれ、答えが変化図になっているSGFで、一つのファイルに何問あってもかまいません。最初の問題から始めることもできます。',
  previous: '前へ', again: 'もう一度', next: '次へ', wholeBoard: '盤全体', problemTitle: '{1}問中{0}: {2}', toPlayBlack: '黒番です。', toPlayWhite: '白番です。',
  goesOn: 'ここまで正解。続けてください。', solved: '正解!', failed: '失敗です。', unknown: 'この手はファイルにありません。', noAnswer: 'この問題の答えはファイルにありません。自由に試してください。',
  problemScore: '一度で正解 {0}、やり直して正解 {1}、残り {2}', markSolved: '正解', markFailed: 'まだ', markLate: 'やり直して正解', markOpen: '未着手', problemName: '第{0}問',
  solve: 'ソルバーに聞く', solving: '読んでいます…', unsolved: 'ここには生死の問題が見つかりません。', proved: '他の手はすべて失敗します。', provedAmongRead: '読んだ手では、他はすべて失敗します。不明の手は{0}。', unknownMoves: '不明の手は{0}。',
  previousGame: '前の対局', replaceTitle: '盤上の対局を入れ替えますか?', replaceHelp: '「前の対局」を押すと元に戻せます。次に入れ替えるまで有効です。', replaceTooLarge: 'この対局は大きすぎてブラウザに残せないため、元に戻せません。先に保存してください。', saveRefused: '戻せなかった対局を保存', keepGame: 'このまま残す', replaceGame: '入れ替える', close: '閉じる', overTitle: '終局', studyGame: 'この対局を検討する',
  unreadable: '棋譜を読めません: {0}', restored: 'サーバーから対局が失われていたため、ブラウザに残っていたものを戻しました。', notRestored: 'ブラウザに残っていた対局を戻せません: {0}。「対局」タブの「戻せなかった対局を保存」で棋譜を保存できます。', damaged: 'ブラウザに残っていた対局は壊れているため、使いませんでした。', tooLarge: 'この対局は大きすぎてブラウザに残せません。サーバーを終了する前に保存してください。', notStored: 'ブラウザにこれ以上保存できません。対局はこのページを開いている間だけ残ります。閉じる前に保存してください。',
  proof_works_kill: '{0}は{1}で殺せます。', proof_works_live: '{0}は{1}で生きます。', proof_goodko: '{0}は{1}で、相手にコウ材がなければ勝つコウです。', proof_ko: '{1}でコウ。{0}にコウ材が必要です。', proof_fails_kill: '{0}は殺せません。', proof_fails_live: '{0}は生きられません。', proof_open: '読み切れません。{1}が有力です。',
  end_works: '成功', end_goodko: '有利なコウ', end_ko: 'コウ', end_fails: '失敗', end_open: '不明',
  winRateOf: '勝率、{1}局面のうち{0}', labTitle: '研究室', labHelp: 'サーバー起動時に指定したフォルダの中身です。数秒ごとに読み直すので、対戦の経過を見られます。', labNone: 'フォルダにはまだ何もありません。対戦(harie match --out)、レーティング(harie rate --out)、評価、報告、学習曲線、モデルがここに並びます。', labOff: 'このサーバーに研究室はありません。harie serve --lab フォルダ で結果を表示できます。', toBoard: '盤へ戻る', choose: '結果を選んでください。',
  kind_match: '対戦', kind_ratings: 'レーティング', kind_evaluation: '評価', kind_curve: '学習', kind_page: 'ページ', kind_model: 'モデル', updated: '更新 {0}',
  startEvaluation: 'モデルを評価する', modelSecond: '比較相手', noModel: 'なし', corpus: '棋譜', corpusFiles: '{0}({1}ファイル)', atMost: '最大局数', noCorpus: 'フォルダに評価用の棋譜(.sgf、.gz、.zip)がありません。', progress: '進み具合', comes: '終わると結果がここに出ます。',
  work_playing: '対戦中: {1}局のうち{0}局。', work_reading: '棋譜を読んでいます: {0}局。', work_measuring: '{2}: {1}局のうち{0}局。', workFirst: 'ここまでのMatch1 {0} %。', workFailed: '失敗しました: {0}', workStopped: '中止しました。評価の結果はありません。',
  startMatch: '対戦を始める', firstPlayer: '一人目', secondPlayer: '二人目', games: '局数', stop: '止める', playerHarie: 'ハリエ、{0}プレイアウト', playerLevel: 'ハリエ {0}', playerKnowledge: '形の知識、{0}', playerGnuGo: 'グニューゴー (GNU Go)',
};

// What the server refuses, as it says it, and in Japanese; numbers and names go where $1 and $2 are.
const REFUSALS = [
  [/^the point is occupied$/, 'すでに石があります'], [/^it would be suicide$/, '自殺手です'], [/^it takes back a ko at once$/, 'コウなので、すぐには取れません'], [/^it repeats an earlier position$/, '同形反復になります'],
  [/^it is the engine's turn$/, 'ハリエの番です'], [/^there is nothing to take back$/, '戻す手がありません'], [/^there is no game record in it$/, '棋譜が見つかりません'], [/^no game is being played$/, '対局中ではありません'], [/^there is no stone$/, '石がありません'],
  [/^dead stones are being marked; play on first$/, '死石を確認中です。続けるには「対局を続ける」を押してください'], [/^dead stones are marked when the game is over$/, '死石を示すのは終局してからです'], [/^there is no count to accept$/, '承認する整地がありません'],
  [/^there is no such (position|point)$/, 'その場所はありません'], [/^the start of the game stays$/, '最初の局面は消せません'], [/^too much was written to this game/, 'この棋譜には書き込みが多すぎます。保存して読み込み直してください'],
  [/^the game has more than (\d+) (nodes|moves)$/, '棋譜が長すぎます($1まで)'], [/^a game has at most (\d+) (nodes|moves) here/, '棋譜が長すぎます($1まで)。保存して読み込み直してください'], [/^this board has places for (\d+) stones at most$/, 'この盤の置石は$1子までです'],
  [/^a board has from 2 to 25 lines$/, '盤は2路から25路までです'], [/^these rules are not known$/, '知らないルールです'], [/^the komi is a number of half points/, 'コミは-1000から1000まで、半目単位です'],
  [/^the stone at (\S+) has no liberty/, '$1の石にダメがありません'], [/^move (\d+), (Black|White) (\S+): (.*)$/, '第$1手($3)は打てません'],
  [/^the game is over; study it to go on$/, '対局は終わっています。続きを打つには「検討」を開いてください'], [/^the game that was kept is damaged$/, '壊れています'], [/^it has more than (\d+) KiB$/, '大きすぎます($1 KiBまで)'], [/^GM\[(.*)\] is not Go.*$/, '囲碁の棋譜ではありません'], [/^SZ\[(.*)\] is not a square board.*$/, '盤は2路から25路までの正方形です'], [/^it could not be read$/, '読み込めませんでした'], [/^it is no text; an archive has to be unpacked first$/, 'テキストではありません。圧縮ファイルは展開してから開いてください'],
  [/^a set has at most (\d+) problems and (\d+) nodes here; the first (\d+) problems of the file were kept$/, '一度に開けるのは$1問、$2ノードまでです。ファイルの最初の$3問だけを開きました'],
  [/^the problem is over; try it again$/, 'この問題は終わりました。もう一度どうぞ'], [/^there (are no problems|is no such problem)$/, '問題がありません'],
  [/^a match or an evaluation is under way already$/, 'すでに対戦か評価が進行中です'], [/^matches are not started from pages here$/, 'このサーバーではページから対戦を始められません'], [/^the folder has too many results$/, 'フォルダの結果が多すぎます'], [/^evaluations are not started from pages here$/, 'このサーバーではページから評価を始められません'], [/^there is no such model$/, 'そのモデルはありません'], [/^there are no such game records$/, 'その棋譜はありません'],
  [/^models are measured on 1 to (\d+) games$/, '評価は1局から$1局です'], [/^the two models are for different boards$/, '二つのモデルの盤の大きさが違います'], [/^one model or two are measured$/, '評価できるのは一つか二つのモデルです'], [/^a model is not measured beside itself$/, '同じモデルを並べて評価できません'], [/^a player has from 1 to (\d+) playouts a move$/, 'プレイアウトは1から$1までです'], [/^there is no game on (\d+)x\d+ in these records$/, 'この棋譜に$1路の対局はありません'], [/^it broke down$/, '異常終了しました'], [/^a match has from 2 to (\d+) games/, '対戦は2局から$1局、9・13・19路です'], [/^GNU Go /, 'GNU Goが見つかりません'],
];

export const words = {
  language: 'en',
  // Everything that can be said.
  keys: () => [...new Set([...Object.keys(EN), ...Object.keys(JA)])],
  say(key, ...values) {
    const text = (this.language === 'ja' ? JA[key] : EN[key]) ?? EN[key] ?? key;
    return values.reduce((t, value, i) => t.replaceAll(`{${i}}`, value), text);
  },
  refusal(why) {
    const known = this.language === 'ja' && REFUSALS.find(([said]) => said.test(why));
    if (known) return why.replace(known[0], known[1]);
    return why[0].toUpperCase() + why.slice(1) + (/[.…]$/.test(why) ? '' : '.');
  },
  // Puts the words of the language everywhere.
  apply(root) {
    document.documentElement.lang = this.language;
    for (const e of root.querySelectorAll('[data-say]')) e.textContent = this.say(e.dataset.say);
    for (const e of root.querySelectorAll('[data-title]')) {
      e.title = this.say(e.dataset.title);
      e.setAttribute('aria-label', e.title);
    }
    for (const e of root.querySelectorAll('[data-role]')) e.setAttribute('aria-roledescription', this.say(e.dataset.role));
    for (const e of root.querySelectorAll('[data-label]')) e.setAttribute('aria-label', this.say(e.dataset.label));
  },
};
