// What the page says, in English and Japanese.

const EN = {
  skip: 'To the board', play: 'Play', inside: 'Look inside', study: 'Study', newGame: 'New game', pass: 'Pass', undo: 'Undo', score: 'Score', resign: 'Resign',
  counting: 'Counting', countingHelp: 'Click stones that are wrongly dead or alive, then accept.', black: 'Black', white: 'White', result: 'Result', accept: 'Accept', resume: 'Play on',
  said: 'What the engine says about its move', think: 'Think', thinking: 'Thinking …', playouts: 'Playouts', show: 'Show', candidates: 'Candidates', model: 'Move model', ownership: 'Ownership', criticality: 'Critical points', miai: 'Miai', order: 'Order of moves',
  move: 'Move', winrate: 'Wins', prior: 'Model', points: 'Points', insideHelp: 'Point at a candidate to see the line expected; click a row to ask why. Critical points, miai and order come from 10,000 random games.',
  open: 'Open SGF', paste: 'Paste', save: 'Save', promote: 'Make main line', remove: 'Delete', fromHere: 'Play from here', comment: 'Comment', review: 'Review the game', stopReview: 'Stop the review', annotate: 'Write into comments', drop: 'Drop a game record',
  size: 'Board', other: 'other', you: 'You play', random: 'by lot', both: 'both colours', none: 'neither: Harie plays itself', level: 'Level', full: 'full strength', seconds: 'Seconds for a move', rules: 'Rules', chinese: 'Chinese', japanese: 'Japanese', korean: 'Korean', newZealand: 'New Zealand',
  handicap: 'Handicap', komi: 'Komi', clock: 'Clock', minutes: 'Minutes', periods: 'Periods', periodSeconds: 'Seconds each', begin: 'Begin', cancel: 'Cancel', pasteTitle: 'Paste a game record', load: 'Load',
  sound: 'Sound', theme: 'Light or dark', moves: 'Moves', first: 'To the start', back10: 'Ten back', back: 'Back', forth: 'On', forth10: 'Ten on', last: 'To the end', tools: 'What a click does', tree: 'Game tree',
  toolPlay: 'Play a move', toolBlack: 'Set up a black stone', toolWhite: 'Set up a white stone', toolEmpty: 'Take a stone off', toolTR: 'Triangle', toolSQ: 'Square', toolCR: 'Circle', toolMA: 'Cross', toolLB: 'Letter',
  keysHelp: 'Arrow keys move, Enter or Space plays. P passes, U takes back, A thinks, N begins a new game, comma and full stop or Page Up and Page Down go through the moves.',
  yourTurn: '{0} to play', engineThinks: 'Harie is thinking …', judging: 'Looking at dead stones …', over: 'The game is over: {0}', studying: '{0} to play', offline: 'No connection; trying again …', taken: '{0} taken', takenTitle: 'Stones taken', level_: 'Level', person: 'You',
  played: '{0} {1}', captured: '{0} taken off', empty: 'empty', whyTitle: 'Why {0}?', rank: 'number {0} for the move model, {1} %', illegal: 'The move model does not look at it: it is not allowed.', wins: '{0} {1} %, {2}', ahead: '{0} by {1}',
  byResign: '{0} wins by resignation', byTime: '{0} wins on time', byPoints: '{0} wins by {1}', draw: 'Draw', better: 'better: {0}', noMistakes: 'No large mistake was found.', reviewing: '{0} of {1} positions', periodsLeft: '{0}×{1}', stones: '{0} stones', noHandicap: 'none', loaded: 'The record is loaded.', saved: 'The record is saved.', confirmResign: 'Give this game up?', ko: 'ko',
};

const JA = {
  skip: '盤へ移動', play: '対局', inside: '思考を見る', study: '検討', newGame: '新しい対局', pass: 'パス', undo: '待った', score: '整地', resign: '投了',
  counting: '整地中', countingHelp: '死活が違う石をクリックして直し、「承認」を押してください。', black: '黒', white: '白', result: '結果', accept: '承認', resume: '対局を続ける',
  said: 'この手についてエンジンの説明', think: '考える', thinking: '考え中…', playouts: 'プレイアウト', show: '表示', candidates: '候補手', model: '着手モデル', ownership: '地の見込み', criticality: '急所', miai: '見合い', order: '手順',
  move: '手', winrate: '勝率', prior: 'モデル', points: '目差', insideHelp: '候補手を指すと予想手順、行をクリックすると理由が出ます。急所・見合い・手順は1万回のランダム対局から求めます。',
  open: 'SGFを開く', paste: '貼り付け', save: '保存', promote: '本譜にする', remove: '削除', fromHere: 'ここから打つ', comment: 'コメント', review: '棋譜を検討', stopReview: '検討を止める', annotate: 'コメントに書き込む', drop: '棋譜をここに落とす',
  size: '盤', other: 'その他', you: 'あなたの番', random: 'ニギリ', both: '両方', none: 'なし(ハリエ同士)', level: '強さ', full: '最強', seconds: '一手の秒数', rules: 'ルール', chinese: '中国', japanese: '日本', korean: '韓国', newZealand: 'ニュージーランド',
  handicap: '置石', komi: 'コミ', clock: '時計', minutes: '持ち時間(分)', periods: '秒読み回数', periodSeconds: '秒読み(秒)', begin: '開始', cancel: 'やめる', pasteTitle: '棋譜を貼り付け', load: '読み込む',
  sound: '音', theme: '明るさ', moves: '手を進める', first: '最初へ', back10: '10手戻る', back: '戻る', forth: '進む', forth10: '10手進む', last: '最後へ', tools: 'クリックの働き', tree: '棋譜の木',
  toolPlay: '着手', toolBlack: '黒石を置く', toolWhite: '白石を置く', toolEmpty: '石を取る', toolTR: '三角', toolSQ: '四角', toolCR: '丸', toolMA: 'バツ', toolLB: '文字',
  keysHelp: '矢印キーで移動、EnterかSpaceで着手。Pはパス、Uは待った、Aは思考、Nは新しい対局、コンマとピリオドまたはPage UpとPage Downで手を進めます。',
  yourTurn: '{0}の番です', engineThinks: 'ハリエが考えています…', judging: '死石を調べています…', over: '終局:{0}', studying: '{0}の番です', offline: '接続がありません。再接続しています…', taken: 'アゲハマ {0}', takenTitle: 'アゲハマ', level_: '強さ', person: 'あなた',
  played: '{0} {1}', captured: '{0}子取り', empty: '空点', whyTitle: 'なぜ {0}?', rank: '着手モデルで{0}番目、{1} %', illegal: '打てない手なので、着手モデルは見ません。', wins: '{0} {1} %、{2}', ahead: '{0} {1}目リード',
  byResign: '{0}中押し勝ち', byTime: '{0}時間勝ち', byPoints: '{0} {1}目勝ち', draw: '持碁', better: '正しくは {0}', noMistakes: '大きな悪手は見つかりませんでした。', reviewing: '{1}局面のうち{0}', periodsLeft: '{0}×{1}', stones: '{0}子', noHandicap: 'なし', loaded: '棋譜を読み込みました。', saved: '棋譜を保存しました。', confirmResign: '投了しますか?', ko: 'コウ',
};

const REFUSALS = {
  'the point is occupied': 'すでに石があります', 'it would be suicide': '自殺手です', 'it takes back a ko at once': 'コウなので、すぐには取れません', 'it repeats an earlier position': '同形反復になります',
  "it is the engine's turn": 'ハリエの番です', 'there is nothing to take back': '戻す手がありません', 'there is no game record in it': '棋譜が見つかりません', 'no game is being played': '対局中ではありません', 'there is no stone': '石がありません',
};

export const words = {
  language: 'en',
  say(key, ...values) {
    const text = (this.language === 'ja' ? JA[key] : EN[key]) ?? EN[key] ?? key;
    return values.reduce((t, value, i) => t.replace(`{${i}}`, value), text);
  },
  refusal(why) { return this.language === 'ja' ? (REFUSALS[why] ?? why) : why[0].toUpperCase() + why.slice(1) + '.'; },
  // Puts the words of the language everywhere.
  apply(root) {
    document.documentElement.lang = this.language;
    for (const e of root.querySelectorAll('[data-say]')) e.textContent = this.say(e.dataset.say);
    for (const e of root.querySelectorAll('[data-title]')) {
      e.title = this.say(e.dataset.title);
      e.setAttribute('aria-label', e.title);
    }
    for (const e of root.querySelectorAll('[data-label]')) e.setAttribute('aria-label', this.say(e.dataset.label));
  },
};
